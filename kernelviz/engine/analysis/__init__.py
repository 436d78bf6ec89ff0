"""Numbers about models: margins, bounds, Mercer check, feature maps."""
