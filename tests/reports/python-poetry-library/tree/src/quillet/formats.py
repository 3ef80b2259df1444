"""Named output formats: catalogue, citation, address."""
from .names import Name

FORMATS = {
    "catalogue": "{n.family}, {n.given} {n.particle}",
    "citation": "{n.family} {i}",
    "address": "{n.given} {n.particle} {n.family}",
}


def format_name(name: Name, style: str = "catalogue") -> str:
    initials = "".join(w[0] for w in name.given.split())
    return " ".join(FORMATS[style].format(n=name, i=initials).split())
