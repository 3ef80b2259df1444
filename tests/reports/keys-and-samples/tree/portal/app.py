"""The service: routes for patients and for the desk."""
from fastapi import FastAPI

from portal import appointments, letters

app = FastAPI(title="Clinic portal")
app.include_router(appointments.router)
app.include_router(letters.router)
