"""The plane on screen: the picture, the view of it, and the tools that edit it."""
