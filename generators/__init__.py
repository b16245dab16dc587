"""What is shown and asked: sampling, scenes, rendering, questions, and datasets on disk."""
