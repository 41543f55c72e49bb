"""Pictures of the mine as SVG."""
