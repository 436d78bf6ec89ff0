"""What everything in the engine is built on: arrays, data, declared parameters, losses."""
