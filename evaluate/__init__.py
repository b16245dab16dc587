"""How well do models do? Runs models on a dataset, keeps every reply, counts, reports."""
