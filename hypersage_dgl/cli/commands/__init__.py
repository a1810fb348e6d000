"""The sub-commands, a file each: ``add_parser(subparsers)``, and ``run(args)``, the exit code."""

from . import (
    compare,
    convert,
    datasets,
    draw,
    embed,
    evaluate,
    info,
    launch,
    partition,
    predict,
    report,
    train,
    tune,
)

COMMANDS = (
    *(train, tune, evaluate, predict, embed, report, compare, draw, info, convert, datasets),
    *(partition, launch),
)

__all__ = ["COMMANDS"]
