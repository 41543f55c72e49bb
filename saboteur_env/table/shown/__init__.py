"""What a seat is shown. All here is made from its view and from what everybody at the table knows."""
