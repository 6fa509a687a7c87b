"""Is it a failure, and which entry explains it?"""
