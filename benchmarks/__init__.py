"""What the parts that must be quick can do, measured against the limit of the ground they stand on."""
