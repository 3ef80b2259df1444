def test_healthz(client):
    assert client.get("/healthz").json() == {"status": "ok"}


def test_search_needs_length(client):
    assert client.get("/berths").status_code == 422


def test_search(client):
    assert client.get("/berths?length=9&depth=2").json() == []


def test_cancel_unknown(client):
    assert client.delete("/bookings/0").status_code == 404
