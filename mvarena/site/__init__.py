"""The site: pages that open by double click, and the same pages over a running database."""
