"""Which finding is the cause, which only a consequence?"""
