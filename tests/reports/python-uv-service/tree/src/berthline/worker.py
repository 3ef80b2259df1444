"""Background jobs: reminders go out at 18:00 local time of the marina."""
from email.message import EmailMessage
import smtplib

from arq import cron
from arq.connections import RedisSettings

from berthline.settings import settings


async def send_reminders(ctx: dict) -> int:
    message = EmailMessage()
    message["Subject"] = "Your berth for tomorrow"
    with smtplib.SMTP(settings.smtp_host) as smtp:
        smtp.send_message(message)
    return 1


class WorkerSettings:
    functions = [send_reminders]
    cron_jobs = [cron(send_reminders, hour=18, minute=0)]
    redis_settings = RedisSettings.from_dsn(settings.redis_url)
