"""The ASGI application."""
from fastapi import FastAPI

from berthline import __version__
from berthline.api import berths, bookings

app = FastAPI(title="Berthline", version=__version__)
app.include_router(berths.router, prefix="/berths")
app.include_router(bookings.router, prefix="/bookings")


@app.get("/healthz")
async def healthz() -> dict[str, str]:
    return {"status": "ok"}
