"""How a finding is shown: drawing, redaction, view models, pages."""
