"""The command line: `lately`, or `python -m pipeline`. The commands are in pipeline/cli."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command of sys.argv and exit with its code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started us
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that can't show a character shows its number instead
            stream.reconfigure(errors="backslashreplace")
    try:
        from pipeline.cli import run_command

        code = run_command(sys.argv[1:])
    except KeyboardInterrupt:  # while the commands were still loading
        print("error: stopped", file=sys.stderr)
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
