"""The language server: the analysis in editors, over the Language Server Protocol. One file per method in ``methods``.

The event loop only takes messages in and sends answers out; one thread (``worker``) does all analysis.
"""
