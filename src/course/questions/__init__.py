"""What the chapters ask their readers before and after an idea."""
