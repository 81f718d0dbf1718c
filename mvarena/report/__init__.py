"""Tables and figures. What is shown is computed first, as plain data; drawing it comes after."""
