"""The paper's experiments: plan them, run them, search better recipes, and show what came out.

Not installed: from the top of the repository, ``python -m experiments --help``. In the order of the
work:

- ``protocol`` has every constant: data sets, methods, columns, powers, alphas, splits;
- ``recipe`` says how a model is made and trained, ``space`` what a search chooses from, and
  ``search`` how; ``recipes.json`` is what it chose;
- ``defaults`` compares candidates for the defaults of ``hypersage train``, on data of ours and of
  AllSet;
- ``fano`` and ``allset`` are the protocols of docs/protocols.md, ``walmart`` small tries on one set
  of them, ``grid`` the benchmarks once more;
- ``plan`` lists the runs of each table, and ``runs`` does them;
- ``result`` is one run and what came out of it, ``ledger`` the file that keeps it (``results/``);
- ``judges`` holds the results against the paper's claims, and ``pages`` makes tables and figures.
"""

import hypersage_dgl  # noqa: F401  (before DGL, which it loads)
