"""One file for each kind of edge: `edges(claims, briefs)` yields what it sees."""
