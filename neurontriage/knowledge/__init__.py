"""The knowledge base: schema, loading, the compiled catalogue, versions, silencing."""
