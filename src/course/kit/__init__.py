"""What every chapter draws on: colours, sentences, matrices, shared measures."""
