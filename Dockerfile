# docker build -t hypersage --build-arg TORCH_INDEX=... . && docker run --rm hypersage
# Trains on the embedded data set, on the CPU. `docker run --rm hypersage hypersage --help` runs the
# command. TORCH_INDEX is the address of torch's index of CPU builds, as its installation page gives
# it; without it pip takes the build with the CUDA libraries, which is several GB larger.
FROM python:3.12-slim

# DGL and torch share OpenMP, which the slim image leaves out.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*

# In a layer of its own, which a change of the source does not build again.
ARG TORCH_INDEX=
RUN pip install --no-cache-dir ${TORCH_INDEX:+--index-url "${TORCH_INDEX}"} "torch>=2.1,<2.14"

WORKDIR /hypersage
COPY setup.py pyproject.toml README.md LICENSE ./
COPY hypersage_dgl hypersage_dgl
RUN pip install --no-cache-dir .
COPY examples examples

RUN useradd --create-home user
USER user
CMD ["python", "examples/train_minibatch.py"]
