# SPDX-License-Identifier: BSD-3-Clause
"""The site of `make docs`. Pages of its own lie beside this file. The documents of the repository, which are read there as
well, become pages in reference/ when the site is built; commands.md becomes one page per command."""
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

project = "sturm"
author = "the sturm developers"
copyright = author  # noqa: A001 - the name that Sphinx asks for
release = re.search(r"project\(sturm VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
version = release

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
templates_path = ["_templates"]
exclude_patterns = ["gallery/*.ipynb", "gallery/*.py", "gallery/*.zip", "gallery/*.json"]
highlight_language = "none"  # blocks of the documents are commands and formulas; code says its language
nitpicky = True

# The API. Signatures have their defaults, and types stand in the docstrings.
autosummary_generate = True
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": True}
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
maximum_signature_line_length = 90

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
bibtex_bibfiles = ["refs.bib"]
bibtex_default_style = "plain"
copybutton_prompt_text = r">>> |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "examples/python"),
    "gallery_dirs": "gallery",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "image_scrapers": ("matplotlib",),
    "matplotlib_animations": False,
    "remove_config_comments": True,
    "show_signature": False,
    "backreferences_dir": "gallery/used",
    "doc_module": ("sturm",),
    "reference_url": {"sturm": None},
    "min_reported_time": 0,
    "write_computation_times": False,
    "run_stale_examples": False,
}

html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme = "pydata_sphinx_theme"
html_title = f"sturm {release}"
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sourcelink = False
html_copy_source = False

#: The documents of the repository, by the page that each becomes.
DOCUMENTS = {
    "CHANGELOG.md": "changelog",
    "ARCHITECTURE.md": "architecture",
    "CONTRIBUTING.md": "contributing",
    **{f"docs/{path.name}": path.stem for path in (ROOT / "docs").glob("*.md") if path.stem != "commands"},
    **{f"docs/decisions/{path.name}": f"decisions/{path.stem}" for path in (ROOT / "docs/decisions").glob("*.md")},
}


def linked(text, document, page, places):
    """The text of a document with its links as those of a page; what is no page is named by its path in the source."""
    folder, here = (ROOT / document).parent, Path("reference") / page

    def link(match):
        words, target, anchor = match.groups()
        if not target:
            place = places.get(anchor)
            return f"[{words}]({os.path.relpath(place, here.parent)})" if place else match[0]
        path = os.path.relpath((folder / target).resolve(), ROOT)
        if path == "docs/commands.md":
            place = places.get(anchor, "reference/commands/index.md")
            return f"[{words}]({os.path.relpath(place, here.parent)})"
        if path in DOCUMENTS:
            to = os.path.relpath(Path("reference") / DOCUMENTS[path], here.parent)
            return f"[{words}]({to}.md{'#' + anchor if anchor else ''})"
        if not (ROOT / path).exists():
            raise ValueError(f"{document} links to {path}, which is not there")
        return f"`{path}`" if words in (path, target) else f"{words} (`{path}`)"

    parts = re.split(r"(^```.*?^```)", text, flags=re.M | re.S)
    pattern = r"(?<!!)\[([^\]\n]+)\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)"
    return "".join(part if part.startswith("```") else re.sub(pattern, link, part) for part in parts)


def write(page, text):
    """Writes a page, unless it is there as it should be: Sphinx reads again what is newer."""
    path = HERE / "reference" / f"{page}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def toctree(title, text, pages):
    return f"# {title}\n{text}\n\n```{{toctree}}\n:maxdepth: 1\n\n" + "\n".join(pages) + "\n```\n"


def write_commands():
    """commands.md, one page per section. Gives the page of each section, by its anchor."""
    text = (ROOT / "docs/commands.md").read_text()
    intro, *sections = re.split(r"^## ", text, flags=re.M)
    names = [section.split("\n", 1)[0] for section in sections]
    anchors = [name.lower().replace(" ", "-") for name in names]
    places = {anchor: f"reference/commands/{anchor}.md" for anchor in anchors}
    for name, anchor, section in zip(names, anchors, sections):
        body = section.split("\n", 1)[1]
        write(f"commands/{anchor}", linked(f"# {name}\n{body}", "docs/commands.md", f"commands/{anchor}", places))
    write("commands/index", toctree("Commands", intro.split("\n", 1)[1].strip(), anchors))
    return places


def write_reference():
    places = write_commands()
    for document, page in DOCUMENTS.items():
        write(page, linked((ROOT / document).read_text(), document, page, places))
    decisions = sorted(Path(page).name for page in DOCUMENTS.values() if page.startswith("decisions/"))
    pages = ["maths", "proof", "results", "performance", "reliability", "architecture", "files", "add-a-model", "add-a-penalty",
             "add-a-loss", "contributing", "decisions/index", "changelog"]  # fmt: skip
    assert set(pages) - {"decisions/index"} == {p for p in DOCUMENTS.values() if not p.startswith("decisions/")}
    write("index", toctree("Reference", "What lies beneath, and what others would ask.", ["/glossary", "/bibliography", *pages]))
    write("decisions/index", toctree("Decisions", "Why things are as they are.", decisions))


def skip_what_scikit_learn_documents(app, what, name, member, skip, options):
    """get_params, score and the like are described in scikit-learn, whose words refer to pages that are not here."""
    module = getattr(getattr(member, "__func__", member), "__module__", None) or ""
    return True if module.startswith("sklearn.") or name.endswith("_request") else None


def setup(app):
    app.connect("autodoc-skip-member", skip_what_scikit_learn_documents)


write_reference()
