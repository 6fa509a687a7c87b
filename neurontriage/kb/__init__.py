"""Work on the knowledge base itself: tests of examples, search, drafts, catalogue pages."""
