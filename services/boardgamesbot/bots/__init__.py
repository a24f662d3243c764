"""Bots at work: BotService, the dispatcher that feeds Celery from the outboxes, and the tasks that play turns."""
