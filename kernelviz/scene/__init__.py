"""What is to be seen: trees of nodes for views, layers for workspaces, and their painters. No widgets."""
