"""Ray: the one place that starts, joins and leaves a cluster, and reading an incident on it."""
