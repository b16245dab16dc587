"""What happens: pure rules of small worlds. No pixels, no prose, no input or output."""
