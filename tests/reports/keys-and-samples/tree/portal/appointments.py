"""Booking and confirming appointments."""
import os

import asyncpg
from fastapi import APIRouter

router = APIRouter(prefix="/appointments")


async def connection():
    return await asyncpg.connect(os.environ["DATABASE_URL"])


@router.post("/")
async def book(patient: int, slot: str):
    """Books a slot, to be confirmed by the desk."""
    db = await connection()
    await db.execute("insert into appointments (patient, slot) values ($1, $2)", patient, slot)
    return {"state": "waiting"}
