"""The foundation of the engine: arrays, data, declared parameters, losses."""
