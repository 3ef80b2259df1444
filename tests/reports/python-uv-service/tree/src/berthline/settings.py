"""Everything that comes from the environment."""
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="BERTHLINE_", env_file=".env")

    database_url: str = "sqlite+aiosqlite://"
    redis_url: str = "redis://localhost:6379/0"
    smtp_host: str = "localhost"
    secret_key: str = "change-me"

    @property
    def sync_database_url(self) -> str:
        return self.database_url.replace("+asyncpg", "")


settings = Settings()
