#!/usr/bin/env bash
# Fetches the packages of the corpus into FOLDER, a folder for each, and checks the files of the manifest: only what is
# missing, so that a second run costs nothing and needs no network. A package that can't be had any more in its version
# is told of and left out.
#
#   fetch.sh FOLDER
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "${1:?usage: fetch.sh FOLDER}")
mkdir -p "$folder"

debian() {
  apt-get download -qq "$1=$2" 2>/dev/null && dpkg -x "$1"_*.deb "$3"
}

# The source distribution: documents are seldom in what gets installed.
pypi() {
  python3 -m pip download --quiet --no-deps --no-binary :all: "$1==$2" &&
    mkdir "$3" &&
    tar xzf ./*.tar.gz -C "$3" --strip-components 1
}

while read -r kind name version; do
  [ ! -d "$folder/$name" ] || continue
  work=$(mktemp -d "$folder/.fetch.XXXXXX")
  case $kind in
    deb) fetch=debian ;;
    pypi) fetch=pypi ;;
  esac
  if (cd "$work" && "$fetch" "$name" "$version" "$work/out"); then
    mv "$work/out" "$folder/$name"
  else
    echo "corpus: there is no $name $version any more" >&2
  fi
  rm -rf "$work"
done <"$here/packages.txt"

awk -F '\t' '{ print $3 "  " $1 "/" $2 }' "$here/manifest.tsv" |
  (cd "$folder" && sha256sum --check --quiet --ignore-missing)
