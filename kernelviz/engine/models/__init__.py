"""What a fit returns: the problem it solved and the score function it found."""
