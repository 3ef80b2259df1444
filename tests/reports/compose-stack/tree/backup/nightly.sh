#!/bin/sh
# Saves /srv every night, and mails when it did not work.
set -eu

if ! restic backup /srv --exclude-file /excludes; then
  printf 'Subject: backup failed\n\n%s\n' "$(date)" | msmtp house@example.org
  exit 1
fi
restic forget --keep-daily 7 --keep-weekly 8 --prune
