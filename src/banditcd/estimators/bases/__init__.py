"""Base classes and the skeleton of a fit."""
