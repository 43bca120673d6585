"""A peer of the bench: markitdown takes the text out of each file of a folder, on all cores.

python extract.py FOLDER OUT      OUT/NAME.txt holds the text of FOLDER/NAME; a file that failed has none
"""

import sys
import warnings
from multiprocessing import Pool
from pathlib import Path

from markitdown import MarkItDown


def start() -> None:
    global converter
    warnings.simplefilter("ignore")
    converter = MarkItDown()


def extract(paths: tuple[Path, Path]) -> None:
    source, out = paths
    try:
        out.write_text(converter.convert(source).text_content, "utf-8", "replace")
    except Exception as error:  # Whatever a file does to a parser, the next one is taken.
        print(f"{source.name}: {type(error).__name__}", file=sys.stderr)


if __name__ == "__main__":
    folder, out = map(Path, sys.argv[1:])
    with Pool(initializer=start) as pool:
        pool.map(extract, [(path, out / f"{path.name}.txt") for path in sorted(folder.iterdir())], chunksize=1)
