"""Signs and checks sessions."""
import json
from pathlib import Path

from jose import jwt

KEYS = json.loads((Path(__file__).parent / "session-keys.jwk").read_text())["keys"]


def sign(patient: int) -> str:
    return jwt.encode({"sub": str(patient)}, KEYS[0], algorithm="RS256")
