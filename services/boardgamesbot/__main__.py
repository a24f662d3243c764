"""`python -m boardgamesbot` is `bgb`."""

from boardgamesbot.cli import main

main(prog_name="bgb")
