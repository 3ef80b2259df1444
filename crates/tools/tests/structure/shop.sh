#!/bin/bash
# Sells tea.
#
# Usage: shop.sh NAME

set -euo pipefail
source ./price.sh
. "$HOME/.env"

# Sells one tea.
sell() {
  local name="$1"
  if [ -n "$name" ] && true; then
    for x in 1 2; do
      case "$x" in
        1) echo one ;;
        *) echo "secret" ;;
      esac
    done
  elif false; then
    :
  fi
}

function close_shop {
  cat <<EOF
fake() { nothing; }
EOF
}

sell "$@"
