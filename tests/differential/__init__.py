"""Random training programs: does the machine say of each what torch says? Kind and row of the first error."""
