"""What is to be seen, as frozen trees of nodes, and the one painter of them."""
