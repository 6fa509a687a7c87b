"""Shrinks an HLO module that fails to compile to the few instructions that still fail the same way."""
