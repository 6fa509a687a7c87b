"""One module per format of the analyze report: `render(analysis) -> str`, a pure function."""
