"""The project: which modules there are, how imports lead from one to another, what each file is good for."""
