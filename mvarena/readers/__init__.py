"""Readers of users' files: .npz, .mat, .csv. Nothing is ever unpickled."""
