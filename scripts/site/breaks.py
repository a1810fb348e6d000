"""What the browser would break where it reads badly: options at hyphens, 1.5 ± 0.2 at the sign."""

from __future__ import annotations

import re

# So many characters of code fit beside the margins of a phone.
SHORT = re.compile(r"<code>([^<>\n]{1,30})</code>(?!</pre>)")
OPTION = re.compile(r"(?<=[\s>])(--[a-z][a-z-]*)(?=[\s<=])")
BETWEEN_NUMBERS = re.compile(r"(?<=\d) ([±/]) (?=\d)")


def on_page_content(html: str, **_: object) -> str:
    """Keep short code, options and pairs of numbers on a line."""
    html = SHORT.sub(r'<code class="short">\1</code>', html)
    html = OPTION.sub(r'<span class="short">\1</span>', html)
    return BETWEEN_NUMBERS.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", html)


def on_post_template(output_content: str, template_name: str, **_: object) -> str:
    """Leave the page of a missing address out: only a server shows it, and it asks for one."""
    return "" if template_name == "404.html" else output_content
