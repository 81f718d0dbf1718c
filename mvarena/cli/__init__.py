"""The command line: one module per command, imported when it is used; heavy imports stay inside the commands."""
