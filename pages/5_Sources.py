"""The sources: how far each is believed and why, new ones, how they answer, and what feedback taught about them."""

from pages.parts import current, sources_page

# ask: the part of the page is chosen in its head, the current run in the sidebar

# call
view = current.view()

# show
sources_page.draw(view)
