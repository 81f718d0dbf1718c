"""The operating system: memory, processes, threads, temporary folders, the environment."""
