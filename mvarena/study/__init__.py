"""What to run: a study is planned into trials, each of them data with a key."""
