/* What a popover holds stands at the end of the document: Tab leads from its button into it, and back out to what follows. */
if (!window.latelyKeyboard) {
  window.latelyKeyboard = true;
  const reached = "a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex='0']";
  document.addEventListener("keydown", (event) => {
    const body = document.querySelector("[data-testid='stPopoverBody']");
    const button = document.querySelector("[data-testid='stPopover'] button[aria-expanded='true']");
    if (event.key !== "Tab" || !body || !button) return;
    const inside = [...body.querySelectorAll(reached)].filter((one) => one.offsetParent && one.tabIndex >= 0);
    const at = document.activeElement;
    if (at === button && !event.shiftKey) {
      event.preventDefault();
      body.tabIndex = -1; /* where there is nothing to reach, or not yet, it is read */
      (inside[0] || body).focus();
    } else if (body.contains(at) && (!inside.length || at === inside.at(event.shiftKey ? 0 : -1))) {
      if (event.shiftKey) event.preventDefault();
      button.focus(); /* forwards, the browser goes on from here */
    }
  });
}
