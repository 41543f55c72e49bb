"""What studies share: work in parallel, result stores, statistics, tables and plots."""
