# What the scripts that prepare something share: installing only what is missing, so that a second run costs nothing
# and needs no network. To be sourced.

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# debian_packages NAME...
debian_packages() {
  [ $# -gt 0 ] || return 0
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# npm_packages FOLDER. npm writes the inner lock file last: newer than ours, it says that the installation is complete
# and current.
npm_packages() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] || npm --prefix "$1" ci
}

# python_packages REQUIREMENTS VENV. The copy of the requirements is made last, for the same reason.
python_packages() {
  cmp -s "$1" "$2/requirements.txt" && return
  python3 -m venv --clear "$2"
  "$2/bin/pip" install --quiet --requirement "$1"
  cp "$1" "$2/requirements.txt"
}
