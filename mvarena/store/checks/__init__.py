"""Checks of a file that anybody may have written: what it holds, and the values of its rows."""
