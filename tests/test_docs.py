"""The documents: every relative link and every file that they name exists, and the short ones stay short."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "python/README.md"])
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
# What starts a path of the repository. A path with a capital letter alone (DIR, RUN) or a star is a pattern.
FOLDERS = ("apps", "bench", "cmake", "data", "docs", "examples", "fuzz", "include", "python", "reproduce", "scripts", "src", "tests", "web")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*\w)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Written by the build or by npm, so they are not in a fresh checkout.
MADE = ("web/node_modules",)


def text_of(path):
    """The document without its code blocks, which contain other things in brackets."""
    return re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_relative_links_lead_somewhere(document):
    broken = []
    for link in LINK.findall(text_of(document)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (document.parent / target).resolve() if target else document
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_files_that_are_named_exist(document):
    named = {name for name in PATH.findall(text_of(document)) if name not in MADE}
    # Sources are named with or without their extension.
    missing = [name for name in sorted(named) if not list(ROOT.glob(name)) and not list(ROOT.glob(name + ".*"))]
    assert not missing


def test_documents_that_sources_name_exist():
    sources = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")
               if path.suffix in (".h", ".cc", ".py", ".sh", ".ts", ".cmake") and "node_modules" not in path.parts]
    named = {name for path in sources for name in re.findall(r"\bdocs/[\w/]+\.md\b", path.read_text())}
    assert named and [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_results_are_short():
    assert len((ROOT / "docs/results.md").read_text().splitlines()) <= 150


def test_readme_has_the_two_commands_and_both_releases():
    readme = (ROOT / "README.md").read_text()
    assert "make demo" in readme and "make test" in readme and "Debian 12 and 13" in readme


def test_every_document_can_be_found():
    """From the README, by links alone."""
    found, queue = set(), [ROOT / "README.md"]
    while queue:
        document = queue.pop()
        if document in found:
            continue
        found.add(document)
        for link in LINK.findall(text_of(document)):
            path = (document.parent / link.partition("#")[0]).resolve()
            if path.suffix == ".md" and path.exists():
                queue.append(path)
    assert sorted(str(path.relative_to(ROOT)) for path in set(DOCUMENTS) - found) == []


def test_make_targets_that_are_named_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    # In code spans and blocks, so that "they make up" is not a target.
    code = "\n".join(part for path in DOCUMENTS for part in re.findall(r"`[^`\n]+`|^```.*?^```$", path.read_text(),
                                                                      re.MULTILINE | re.DOTALL))
    named = set(re.findall(r"(?:^|[`&;]) ?make ([a-z-]+)", code, re.MULTILINE))
    assert named and named - targets == set()


def test_the_version_is_the_same_everywhere():
    version = re.search(r"project\(greenkgc VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    newest = re.search(r"^## \[([0-9.]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).group(1)
    assert newest == version


def test_american_spelling():
    british = re.compile(r"\b(\w*(?:neighbour|colour|behaviour|favour)\w*|learnt|licen[c]e[sd]?|artefact\w*|\w+[^aeiou]isation\w*|"
                         r"recognise\w*|optimis\w+|normalis\w+|quantis\w+|serialis\w+|regularis\w+)\b", re.IGNORECASE)
    found = [f"{name}: {word}" for name, path in zip(NAMES, DOCUMENTS)
             for word in british.findall(re.sub(r"`[^`\n]*`", "", text_of(path)))]
    assert found == []
