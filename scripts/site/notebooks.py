"""Notebooks as pages of the site: what they say, do and print, as it was when they were run."""

from __future__ import annotations

import json
import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

# What a terminal colours its text with.
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# Marks of Markdown, which the words for a picture go without.
ALT = re.compile(r"\]\(\S*?\)|[\[\]`*#]")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page, and its pictures, beside each notebook."""
    for file in [f for f in files if f.src_uri.endswith(".ipynb")]:
        stem = file.src_uri.removesuffix(".ipynb")
        said = ""
        notebook, pictures, parts = json.loads(file.content_string), [], []
        for cell in notebook["cells"]:
            parts += shown(cell, stem, pictures, said)
            if cell["cell_type"] == "markdown":
                said = "".join(cell["source"]).rpartition("\n")[2]
        name = stem.rpartition("/")[2]
        parts.append(f"The notebook itself: [{name}.ipynb]({name}.ipynb)")
        files.append(File.generated(config, f"{stem}.md", content="\n\n".join(parts)))
        for uri, svg in pictures:
            files.append(File.generated(config, uri, content=svg))
    return files


def shown(cell: dict[str, Any], stem: str, pictures: list[tuple[str, str]], said: str) -> list[str]:
    """A cell as Markdown; its pictures are collected, and told by what was said before them."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    parts, printed = [f"```python\n{source}\n```"], ""
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            uri = f"{stem}-{len(pictures) + 1}.svg"
            pictures.append((uri, "".join(data["image/svg+xml"])))
            parts.append(f"![{ALT.sub('', said)}]({uri.rpartition('/')[2]})")
        else:
            printed += "".join(output.get("text") or data.get("text/plain", ""))
    if printed:
        parts.insert(1, f"```{{ .text .output }}\n{COLOUR.sub('', printed).rstrip()}\n```")
    return parts
