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
