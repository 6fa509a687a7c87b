"""What is said of a root cause: its entry, or the class of its reason, its fixes in their order, its title."""
