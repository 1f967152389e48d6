#!/bin/sh
# Runs a command with a new address as its last argument, and prints the code that is mailed there.
# Run it: MAYFLY_API_KEY=svc_… sh examples/ci-wait-for-code.sh ./sign-up.sh
set -eu

case ${1-} in -h | --help) sed -n 's/^# //p' "$0"; exit ;; esac
[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT]..." >&2; exit 64; }
command -v mayfly >/dev/null || mayfly() { npx --no-install mayfly "$@"; }

address=$(mayfly address create --expires-in 30m) # so it ends by itself, should the job be killed
trap 'mayfly address delete "$address" >&2 || true' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

echo "$1 is run with $address" >&2
"$@" "$address" >&2

status=0
code=$(mayfly inbox wait "$address" --code --timeout "${TIMEOUT:-60s}") || status=$?
case $status in
  0) echo "$code" ;;
  2) echo "$1 has run, but mailed no code in time." >&2 ;;
  *) echo "The mail could not be looked at, which says nothing about $1." >&2 ;;
esac
exit "$status"
