"""A script without a model."""

print("nothing to do")
