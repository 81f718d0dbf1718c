"""`python -m mvarena` is the command `mvarena`."""

from mvarena.cli.main import main

if __name__ == "__main__":
    main()
