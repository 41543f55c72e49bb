"""The state that a seat is shown. It is made from the seat's view and from what everybody at the table knows."""
