"""Looks at a host without a log: packages, driver, devices, cache, environment, limits, fabric."""
