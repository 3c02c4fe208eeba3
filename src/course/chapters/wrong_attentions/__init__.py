"""What only the chapter of wrong attentions uses."""
