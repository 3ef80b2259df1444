"""Make, move and cancel bookings."""
from fastapi import APIRouter, HTTPException

router = APIRouter(tags=["bookings"])


@router.delete("/{booking_id}", status_code=204)
async def cancel(booking_id: int) -> None:
    if booking_id <= 0:
        raise HTTPException(404)
