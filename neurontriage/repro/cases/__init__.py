"""One module per reproduction case, named after the entry id; found by walking this folder."""
