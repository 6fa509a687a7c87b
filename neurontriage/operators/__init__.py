"""Which operators neuronx-cc is documented to refuse, to weaken or to compile: one table for all who ask."""
