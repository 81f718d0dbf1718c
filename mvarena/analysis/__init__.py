"""From stored rows to summaries: means, deviations and failures per point, contestant and metric."""
