#!/usr/bin/env bash
# Copies a fixed set of real documents (at most 2,000 files) to FOLDER for a test to catalog: parts of the Rust
# toolchain's HTML documentation or, where it is absent, of /usr/share/doc. Prints two lines: the name within FOLDER
# of a document that is longer than one page of get_thing, and a phrase that stands in it.
#
#   sample-docs.sh FOLDER
set -euo pipefail

mkdir -p "${1:?usage: sample-docs.sh FOLDER}"
target=$(realpath "$1")
html=$(rustc --print sysroot)/share/doc/rust/html

if [ -d "$html/book" ]; then
  (cd "$html" && cp -r --parents book std/collections std/vec "$target")
  echo book/ch04-01-what-is-ownership.html
  echo "Ownership is a set of rules that govern how a Rust program manages memory"
else
  cd /usr/share/doc
  # Read to the end (no `head`), so that no writer of the pipe dies of SIGPIPE.
  find -L . -mindepth 2 -maxdepth 2 -type f -name copyright ! -path ./libc-bin/copyright 2>/dev/null | sort |
    sed -n '1,1999p' | xargs cp -L --parents -t "$target" ./libc-bin/copyright
  echo libc-bin/copyright
  echo "This is the Debian prepackaged version of the GNU C Library"
fi
