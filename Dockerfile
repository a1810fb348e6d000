# docker build -t hypersage --build-arg PIP_EXTRA_INDEX_URL=... . && docker run --rm hypersage
# Trains on the embedded data set, on the CPU. `docker run --rm hypersage hypersage --help` runs the
# command. The index to give is torch's own of CPU builds, from its installation page; without it pip
# takes the build with the CUDA libraries, which is several GB larger.
FROM python:3.12-slim

# DGL needs OpenMP, which the slim image leaves out. A version of Debian's that is pinned today is
# gone from its archive tomorrow.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*

# In a layer of its own, which a change of the source does not build again.
# pip reads the argument itself, and takes 2.13.0+cpu before 2.13.0.
ARG PIP_EXTRA_INDEX_URL
RUN pip install --no-cache-dir torch==2.13.0

WORKDIR /hypersage
COPY setup.py pyproject.toml README.md LICENSE hypersage_command.py ./
COPY hypersage_dgl hypersage_dgl
RUN pip install --no-cache-dir .
COPY examples examples

RUN useradd --create-home --uid 1000 user
USER 1000
CMD ["python", "examples/train_minibatch.py"]
