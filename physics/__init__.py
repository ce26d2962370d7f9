"""What happens to pieces: the Bullet world, placing verdicts, statics, knock-overs, the Grip, pose tracks."""
