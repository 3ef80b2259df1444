# Make a folder and go there.
mkcd() { mkdir -p -- "$1" && cd -- "$1" }

# What listens on a port?
port() { lsof -nP -iTCP:"$1" -sTCP:LISTEN }
