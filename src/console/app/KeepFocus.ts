/** What had the focus may go with a change: a heading has it then, so that a keyboard does not begin at the top. */
const headingOf = (into: HTMLElement): HTMLElement | null =>
  into.querySelector<HTMLElement>("[tabindex='-1']") ?? document.querySelector("h1")

/** What it gives ends it. */
export const keepFocus = (into: HTMLElement): (() => void) => {
  let last: EventTarget | null = null
  into.addEventListener("focusin", ({ target }) => {
    last = target
  })
  const observer = new MutationObserver(() => {
    const isGone = last instanceof Element && !last.isConnected && document.activeElement === document.body
    if (!isGone) return
    last = null
    headingOf(into)?.focus({ preventScroll: true })
  })
  observer.observe(into, { childList: true, subtree: true })
  return () => observer.disconnect()
}
