"""The frame around every page: `streamlit run app.py`."""

import streamlit as st

from pages.parts import collector, failures, frame

frame.open_window()
page = st.navigation(frame.addresses(), position="hidden")
with failures.told():
    frame.sidebar()
    page.run()
collector.settle(page.title)
