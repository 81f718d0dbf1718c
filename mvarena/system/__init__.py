"""The operating system: memory, processes, threads, the environment."""
