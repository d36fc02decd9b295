"""What pages are made of: each function draws one record, or asks for one. No page knows another."""
