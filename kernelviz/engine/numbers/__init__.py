"""The numbers a fit reports: errors, losses, objectives, residuals, bounds; each is declared once."""
