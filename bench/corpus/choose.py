"""Makes the manifest of the corpus: which files of which packages, and the words that must be found in each.

The words come from neither of the two that are compared: pdftotext for PDF, else the text between the tags of the
parts that hold the document. Five words of a file, from its beginning to its end, none of its most frequent.

python choose.py FOLDER >manifest.tsv      FOLDER as fetch.sh made it
"""

import hashlib
import re
import subprocess
import sys
import zipfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

# The most files of a format that are taken from one package, spread over all that it has.
MOST = 150
WORDS = 5
PARTS = {
    "docx": r"word/document\.xml",
    "pptx": r"ppt/slides/slide\d+\.xml",
    "xlsx": r"xl/sharedStrings\.xml",
    "odt": r"content\.xml",
    "ods": r"content\.xml",
    "odp": r"content\.xml",
    "epub": r".*\.x?html",
}
WORD = re.compile(r"[a-z]{5,14}", re.IGNORECASE)


class Text(HTMLParser):
    """The text of a page, without script and style."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.skipped = 0

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.skipped += tag in ("script", "style", "head")

    def handle_endtag(self, tag: str) -> None:
        self.skipped -= tag in ("script", "style", "head")

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.text.append(data)


def text(path: Path, kind: str) -> str:
    if kind == "pdf":
        done = subprocess.run(["pdftotext", "-q", path, "-"], capture_output=True, timeout=60)
        return done.stdout.decode("utf-8", "replace")
    if kind == "html":
        page = Text()
        page.feed(path.read_text("utf-8", "replace"))
        return " ".join(page.text)
    with zipfile.ZipFile(path) as package:
        parts = sorted(name for name in package.namelist() if re.fullmatch(PARTS[kind], name))
        xml = " ".join(package.read(name).decode("utf-8", "replace") for name in parts)
    # A word may be cut into runs: only the end of a paragraph or a cell ends one for sure.
    xml = re.sub(r"<(?:head|style|script)\b.*?</(?:head|style|script)>", " ", xml, flags=re.DOTALL)
    xml = re.sub(r"</(?:\w+:)?(?:p|si|h\d?|td|li|div|tc)>|<(?:w|a):(?:br|tab)\b[^>]*>", " ", xml)
    return re.sub(r"<[^>]*>", "", xml)


def words(text: str) -> list[str]:
    """Some words, in the order of the text. One that a line may have cut is not taken: they stand by themselves."""
    found = [word for word in re.split(r"\s+", text) if WORD.fullmatch(word) and word.isascii()]
    frequent = {word for word, _ in Counter(map(str.lower, found)).most_common(10)} if len(found) > 200 else set()
    rest = list(dict.fromkeys(word.lower() for word in found if word.lower() not in frequent))
    step = max(1, len(rest) // WORDS)
    return rest[step // 2 :: step][:WORDS]


def main(folder: Path) -> None:
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        by_format: dict[str, list[Path]] = {}
        for path in sorted(package.rglob("*")):
            kind = path.suffix.lower().lstrip(".")
            if (kind in PARTS or kind in ("pdf", "html")) and path.is_file() and not path.is_symlink():
                by_format.setdefault(kind, []).append(path)
        for kind, paths in by_format.items():
            for path in paths[:: -(-len(paths) // MOST)]:
                try:
                    chosen = words(text(path, kind))
                except (zipfile.BadZipFile, subprocess.TimeoutExpired):
                    continue
                if len(chosen) >= 3:
                    digest = hashlib.sha256(path.read_bytes()).hexdigest()
                    print(package.name, path.relative_to(package), digest, kind, " ".join(chosen), sep="\t")


main(Path(sys.argv[1]))
