"""The race of librac against plain C and its peers: what benchmarks/run runs."""
