"""Tools of the developers: the generated stub, the house limits, the count of lines."""
