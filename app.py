"""The frame around every page: `streamlit run app.py`."""

import streamlit as st

from pages.parts import frame, session

frame.open_window()
page = st.navigation(frame.pages(), position="hidden")
with frame.told():
    frame.sidebar(page)
    page.run()
session.settle(page.title)
