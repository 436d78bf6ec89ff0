"""The plane on screen: what is drawn, how it is looked at, and the tools that edit it."""
