"""What execution patterns cost: a Plan → records of child processes → statistics → one document → every format."""
