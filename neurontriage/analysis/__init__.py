"""The analyze report (result.json): read, joined with the knowledge base, compared, drawn."""
