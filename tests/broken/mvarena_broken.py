"""A plugin that raises on import."""

raise RuntimeError("this plugin is broken on purpose")
