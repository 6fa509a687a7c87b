"""What runs inside the child process of a preflight, the only part that imports torch."""
