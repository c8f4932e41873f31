"""Where the data live: the same models and certificates on a disk, a cluster or a GPU.

A *place* holds the rows of X, the responses and the row weights in blocks, and adds up pure
functions of them (:mod:`banditcd.places.tasks`); nothing but sums crosses its boundary. The loops
of the models (:mod:`banditcd.places.elastic_net` and its neighbors) run on the host and are written
once for all places; they work in Gram space between two readings of X, on the native solver of a
pool.

Places: NumPy arrays and files (:mod:`banditcd.places.blocks`), Dask collections
(:mod:`banditcd.places.cluster`), arrays on a GPU (:mod:`banditcd.places.card`). A new place is one
file with :class:`banditcd.places.place.Place` as its protocol.
"""
