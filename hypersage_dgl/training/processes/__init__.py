"""Train in several processes: ranks that share batches, and DGL's servers on several hosts."""

from .cluster import SSH, Host, launch, python_command, read_hosts
from .ranks import (
    Ranks,
    bare,
    check_shares,
    data_parallel,
    from_first,
    joined_ranks,
    my_rank,
    num_ranks,
    own_share,
    summed,
)

__all__ = [
    "SSH",
    "Host",
    "Ranks",
    "bare",
    "check_shares",
    "data_parallel",
    "from_first",
    "joined_ranks",
    "launch",
    "my_rank",
    "num_ranks",
    "own_share",
    "python_command",
    "read_hosts",
    "summed",
]
