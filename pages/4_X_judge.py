"""What the judge let through and what it threw out: the verdict in words, before and after the retry, every post."""

from pages.parts import session, xjudge

# ask: the current run is chosen in the sidebar

# call
view = session.view()

# show
xjudge.draw(view)
