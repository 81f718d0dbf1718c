"""The store: every outcome of every trial, failures too, in one SQL database that several runs may share.

`mvarena.store.database.open_database` gives a `Database`; the functions of the other modules take it first.
"""
