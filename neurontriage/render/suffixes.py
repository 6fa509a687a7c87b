"""The format that a file's suffix asks for."""

SUFFIXES = {
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".sarif": "sarif",
    ".xml": "junit",
    ".txt": "terminal",
}
