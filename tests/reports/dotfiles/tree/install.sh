#!/usr/bin/env bash
# Puts everything in its place. May be run again.
set -euo pipefail
cd "$(dirname "$0")"

case "$(uname -s)" in
  Linux) sudo apt-get install -y stow zsh tmux neovim ripgrep ;;
  Darwin) brew bundle --file Brewfile ;;
esac

# the prompt
command -v promptly >/dev/null || curl -fsSL https://get.prompt.example.org | sh

for package in zsh nvim tmux git bin ssh; do
  stow --restow --target "$HOME" "$package"
done
