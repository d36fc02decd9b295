"""What goes to other people: adopted items in order, words of your own, a preview, and five files."""

from pages.parts import briefs, current, frame
from pages.parts.hints import say

# ask: the current run is chosen in the sidebar, items are adopted on their cards

# call
view = current.view()

# show
if view is None:
    frame.no_run(say("no_run"))
else:
    frame.header(view.report, len(view.selected))
    briefs.draw(view)
