"""The published tables, transcribed, and their comparison with what is measured here.

One TOML file per paper: its settings and numbers as printed, what it leaves out, and which stored trials stand beside
each number. What is measured comes from a results database; nothing here runs an algorithm itself.
"""
