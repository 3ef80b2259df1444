"""Alembic's environment: the same metadata and URL as the service."""
from alembic import context
from sqlalchemy import engine_from_config

from berthline.models import Base
from berthline.settings import settings

config = context.config
config.set_main_option("sqlalchemy.url", settings.sync_database_url)


def run_migrations_online() -> None:
    engine = engine_from_config(config.get_section("alembic"))
    with engine.connect() as connection:
        context.configure(connection=connection, target_metadata=Base.metadata)
        with context.begin_transaction():
            context.run_migrations()


run_migrations_online()
