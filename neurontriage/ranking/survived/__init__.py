"""What failed nothing: it was handled, tried again, put up with, or said of a run that came to its end."""
