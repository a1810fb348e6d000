"""Train with loader workers and kill them in the third epoch.

A process of its own, since torch raises for a dead worker from a signal's handler: in whatever line
the main thread happens to be, once for each worker, even while the traceback of the first is shown.
That handler is set aside here; what is left is what the loop itself finds, which is always told.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from pathlib import Path


def main(folder: Path) -> None:
    # As pytest does for the tests.
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import conftest  # noqa: F401
    from training.runs import make

    from hypersage_dgl.training import Minibatches, fit

    class Killed(Minibatches):
        epoch = 0

        def __iter__(self):
            self.epoch += 1
            for batch in super().__iter__():
                yield batch
                if self.epoch == 3:
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for child in multiprocessing.active_children():
                        os.kill(child.pid, signal.SIGKILL)

    _, model, batches = make("workers")
    batches.__class__ = Killed
    fit(model, batches, epochs=5, seed=8, folder=folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
