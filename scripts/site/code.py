"""What Markdown makes of code, where that reads badly on a page."""

from __future__ import annotations

import re

# So many characters of code fit beside the margins of a phone.
SHORT = re.compile(r"<code>([^<>\n]{1,30})</code>(?!</pre>)")


def on_page_content(html: str, **_: object) -> str:
    """Mark short code, which is then not broken at the hyphens of an option."""
    return SHORT.sub(r'<code class="short">\1</code>', html)


def on_post_template(output_content: str, template_name: str, **_: object) -> str:
    """Leave the page of a missing address out: only a server shows it, and it asks for one."""
    return "" if template_name == "404.html" else output_content
