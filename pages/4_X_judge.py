"""What the judge let through and what it threw out: the verdict in words, before and after the retry, every post."""

from pages.parts import current, xjudge

# ask: the current run is chosen in the sidebar

# call
view = current.view()

# show
xjudge.draw(view)
