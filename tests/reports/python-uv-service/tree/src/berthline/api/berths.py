"""Search for free berths."""
from fastapi import APIRouter, Query

router = APIRouter(tags=["berths"])


@router.get("")
async def search(length: float = Query(gt=0), depth: float = Query(gt=0)) -> list[dict]:
    return []
