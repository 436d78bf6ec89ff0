"""What kernels share, as solvers/ is what algorithms share: families of formulas, widths, powers, rates."""
