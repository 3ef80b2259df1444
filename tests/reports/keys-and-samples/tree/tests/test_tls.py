import ssl
from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures" / "tls"


def test_fixture_keys_are_there():
    assert (FIXTURES / "server.key").exists()
    assert (FIXTURES / "client.key").exists()
    assert ssl.OPENSSL_VERSION
