"""What an error of the operating system means for whoever runs assay, and what to do."""

import errno


def error_text(error: OSError) -> str:
    """The error in words, with a remedy if there is one.

    >>> error_text(OSError(errno.ENOSPC, "No space left on device"))
    'the disk is full; free some space and run again'
    """
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "the disk is full; free some space and run again"
        case errno.EFBIG:
            return "the file may not grow further (file-size limit); raise the limit and run again"
        case errno.EMFILE | errno.ENFILE:
            return "too many open files (EMFILE); raise the limit (ulimit -n) and run again"
        case errno.ENOLCK | errno.EOPNOTSUPP | errno.ENOSYS:
            return (
                "this file system has no locks (ENOLCK), for example a network folder without a "
                "lock service; use a folder on a local disk (--root or --out-dir)"
            )
        case _:
            return error.strerror or str(error)
