"""Workspaces, which define what data mean; every module of this package is found."""
