"""Other libraries, each in an environment and a process of its own, behind one protocol.

``environments`` makes the virtual environments, ``worker`` is the script that runs inside them,
``client`` talks to it, and ``adapters`` holds one small file for each library.
"""
