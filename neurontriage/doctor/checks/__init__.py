"""One module per part of the host; each gives its checks in a fixed order."""
