# History
HISTFILE=~/.local/state/zsh/history
HISTSIZE=100000
SAVEHIST=100000
setopt share_history hist_ignore_space

autoload -Uz compinit && compinit

alias ll='ls -lah'
alias gs='git status -sb'

source ~/.config/zsh/functions.zsh
[[ -f ~/.zshrc.local ]] && source ~/.zshrc.local

eval "$(promptly init zsh)"
