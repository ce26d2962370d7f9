"""The front door: the command line, one short function a command, nothing else."""
