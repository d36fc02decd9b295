"""What pages are made of: each function draws one record, or asks for one. No page knows another.

Streamlit takes any folder named pages/ for its older kind of app until app.py has called st.navigation once: an address
such as /Timeline, opened first after a start, would run that page without the frame. So the first page that a server
imports this package for begins again, through app.py.
"""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

if getattr(PagesManager, "uses_pages_directory", None):
    PagesManager.uses_pages_directory = False
    st.rerun()
