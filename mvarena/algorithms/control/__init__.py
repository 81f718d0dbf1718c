"""Controls: what no method should fall below, and what none can pass. They look at no values."""
