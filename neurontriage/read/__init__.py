"""Bytes: files, folders, globs, pipes and archives become blocks of bytes, in bounded memory."""
