"""Ask a question, watch the sources answer, read the story."""

from pages.parts import ask, background, current, examples, progress, reader, recent, results

# ask
question = None if reader.presenting() else ask.box()

# call
view = current.view()
if question is not None:
    background.start(question)

# show
progress.draw()
if view is not None:
    results.draw(view)
examples.draw(view)
recent.draw()
