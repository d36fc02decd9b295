"""The frame around every page: `streamlit run app.py`."""

import streamlit as st

from pages.parts import collector, frame

frame.open_window()
page = st.navigation(frame.pages(), position="hidden")
with frame.told():
    frame.sidebar()
    page.run()
collector.settle(page.title)
