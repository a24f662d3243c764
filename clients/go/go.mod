module boardgamesbot/bot

go 1.24
