"""From what the recorder wrote to findings: the events of the machine, made from observation, read by the same rules."""
