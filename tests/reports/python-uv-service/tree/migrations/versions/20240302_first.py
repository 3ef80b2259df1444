"""boats, berths, bookings

Revision ID: 4e1c
"""
import sqlalchemy as sa
from alembic import op

revision = "4e1c"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "berths",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("pier", sa.String(8), nullable=False),
        sa.Column("length_m", sa.Numeric(4, 1), nullable=False),
        sa.Column("depth_m", sa.Numeric(3, 1), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("berths")
