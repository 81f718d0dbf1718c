"""The site: pages that open by double click, and their data as scripts."""
