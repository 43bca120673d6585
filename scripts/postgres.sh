#!/usr/bin/env bash
# A private PostgreSQL for the tests: on the loopback and a free port, nothing of it outlives `stop`.
#
#   postgres.sh start          starts it, prints the superuser's URL of the database `postgres`
#   postgres.sh url            prints that URL
#   postgres.sh stop           ends it and deletes its data
#   postgres.sh run COMMAND    a server of its own around COMMAND, the URL in STOA_TEST_POSTGRES_URL
#
# The server lives in STOA_TEST_POSTGRES_DIR (a folder of this user below the temporary folder by default).
set -euo pipefail

home=${STOA_TEST_POSTGRES_DIR:-${TMPDIR:-/tmp}/stoa-postgres-$(id -u)}

# The newest installed server's programs.
programs() {
  local found
  found=$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -n 1) || true
  [ -n "$found" ] || { echo "postgres.sh: no PostgreSQL here; scripts/prepare.sh installs it" >&2; exit 1; }
  dirname "$found"
}

# PostgreSQL refuses to run as root: root hands over to the user that Debian's package makes.
as_server() {
  if [ "$(id -u)" -eq 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

running() { [ -s "$home/port" ] && as_server "$(programs)/pg_ctl" -D "$home/data" status >/dev/null 2>&1; }

url() {
  running || { echo "postgres.sh: not started" >&2; exit 1; }
  echo "postgres://postgres@127.0.0.1:$(cat "$home/port")/postgres"
}

initialize() {
  rm -rf "$home"
  mkdir -m 700 "$home"
  [ "$(id -u)" -ne 0 ] || chown postgres "$home"
  as_server "$(programs)/initdb" -D "$home/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
    --no-sync >/dev/null
}

# Nothing here must survive a crash of the machine, so nothing waits for the disk.
settings() {
  printf -- '-c %s ' "port=$1" listen_addresses=127.0.0.1 "unix_socket_directories=$home" max_connections=300 \
    fsync=off synchronous_commit=off full_page_writes=off
}

# A port is known to be free only once the server listens on it: try until one is.
start() {
  if running; then url; return; fi
  initialize
  local port
  for _ in {1..20}; do
    port=$((20000 + RANDOM % 12000))
    if as_server "$(programs)/pg_ctl" -D "$home/data" -w -l "$home/data/log" -o "$(settings "$port")" start \
      </dev/null >/dev/null 2>&1; then
      echo "$port" >"$home/port"
      url
      return
    fi
  done
  echo "postgres.sh: the server does not start" >&2
  as_server cat "$home/data/log" >&2
  exit 1
}

stop() {
  if running; then as_server "$(programs)/pg_ctl" -D "$home/data" -w -m immediate stop >/dev/null; fi
  rm -rf "$home"
}

# Each test makes a database of its own, hundreds of files each: in memory they are made, and deleted, at once.
base() {
  local free
  free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1) || free=0
  if [ "${free:-0}" -gt 8000000 ]; then echo /dev/shm; else echo "${TMPDIR:-/tmp}"; fi
}

run() {
  home=$(mktemp -d "$(base)/stoa-postgres.XXXXXX")
  trap stop EXIT
  STOA_TEST_POSTGRES_URL=$(start)
  export STOA_TEST_POSTGRES_URL
  "$@"
}

case "${1:-}" in
  start | url | stop) "$1" ;;
  run) shift && run "$@" ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
