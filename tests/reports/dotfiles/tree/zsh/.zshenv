export EDITOR=nvim
export PATH="$HOME/.local/bin:$PATH"
