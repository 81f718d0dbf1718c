"""Tables written as Markdown, HTML, LaTeX, CSV, JSON, and shown in a terminal."""
