"""What the data mean: one module for each workspace, found by being here."""
