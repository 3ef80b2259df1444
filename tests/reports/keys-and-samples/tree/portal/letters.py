"""Letters to patients, kept as blobs."""
import os

from azure.storage.blob import BlobServiceClient
from fastapi import APIRouter

router = APIRouter(prefix="/letters")


@router.get("/{name}")
def letter(name: str):
    client = BlobServiceClient.from_connection_string(os.environ["BLOBS"])
    return client.get_blob_client("letters", name).download_blob().readall()
