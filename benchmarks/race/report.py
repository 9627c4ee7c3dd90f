"""docs/Measurements.md and the plots beside it, written from the results."""
def plot(found, python): pass
def write(found): pass
