"""Ask a question, watch the sources answer, read the story."""

from pages.parts import ask, examples, progress, recent, results, session

# ask
question = None if session.presenting() else ask.box()

# call
view = session.view()
if view is None and question is None and session.job() is None:
    question = ask.first_visit()
if question is not None:
    session.start(question)

# show
progress.draw()
if view is not None:
    results.draw(view)
examples.draw(view)
recent.draw()
