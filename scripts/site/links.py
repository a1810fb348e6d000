"""Links of the docs that lead out of docs/: the site gets a page for each file that they name."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"""(\]\(|src=")(?!\w+:|#)([^)\s#"]+)((?:#[^)\s]*)?[)"])""")
LANGUAGES = {".py": "python", ".yml": "yaml", ".sh": "sh", ".html": "html"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file outside that a page names, or that such a page names."""
    waiting = [(f"docs/{f.src_uri}", f.content_string) for f in files.documentation_pages()]
    done = set()
    while waiting:
        path, text = waiting.pop()
        for _, link, _ in LINK.findall(text):
            outside = target(path, link)
            if outside is None or outside in done or not (ROOT / outside).is_file():
                continue
            done.add(outside)
            shown = (ROOT / outside).read_text(encoding="utf-8")
            if outside.endswith(".md"):
                waiting.append((outside, shown))
            files.append(File.generated(config, page_of(outside), content=page(outside, shown)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to those pages, and links of files outside back into the docs."""
    here = page.file.src_uri
    path = here.removeprefix("code/") if here.startswith("code/") else f"docs/{here}"
    if here.startswith("code/") and (ROOT / path).suffix != ".md":
        return markdown
    folder = str(PurePosixPath(here).parent)

    def lead(found: re.Match[str]) -> str:
        resolved = os.path.normpath(PurePosixPath(path).parent / found[2])
        place = resolved.removeprefix("docs/")
        if place.endswith(".ipynb") and not here.startswith("notebooks/"):
            place = place.replace(".ipynb", ".md")
        if not resolved.startswith("docs/"):
            place = page_of(resolved)
            if (ROOT / resolved).is_dir():
                # A folder has no page; the words stay.
                return f"](#{found[3][1:] if found[3] != ')' else ''})"
        return f"{found[1]}{os.path.relpath(place, folder)}{found[3]}"

    return LINK.sub(lead, markdown)


def target(path: str, link: str) -> str | None:
    """The file outside of docs/ that a link in a file leads to, from the top of the repository."""
    resolved = os.path.normpath(PurePosixPath(path).parent / link)
    return None if resolved.startswith("docs/") else resolved


def page_of(path: str) -> str:
    """Where the page of a file outside is."""
    return f"code/{path}" if path.endswith(".md") else f"code/{path}.md"


def page(path: str, text: str) -> str:
    """Markdown as it is, anything else as code under its path."""
    if path.endswith(".md"):
        return text
    language = LANGUAGES.get(PurePosixPath(path).suffix, "text")
    title = path.replace("__", r"\_\_")
    return f"# {title}\n\n````{language}\n{text.rstrip()}\n````\n"
