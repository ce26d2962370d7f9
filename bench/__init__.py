"""Benchmarks that print ratios against a named anchor measured in the same run."""
