"""The paper's experiments by command: configurations, runs, claims, figures, tables, report."""
