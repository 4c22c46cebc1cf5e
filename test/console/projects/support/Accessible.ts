/** What a page has to have for those who do not see it or do not use a mouse, and on a narrow screen. */
import type { Page } from "playwright-core"
import { until } from "../../../support/Until.ts"

/** Runs in the page. */
const faultsIn = (): ReadonlyArray<string> => {
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const textOf = (ids: string | null) =>
    (ids ?? "")
      .split(" ")
      .map(id => document.getElementById(id)?.textContent ?? "")
      .join("")
  const nameOf = (element: Element): string => {
    const labels =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null
    const label = [...(labels ?? [])].map(({ textContent }) => textContent).join("")
    return `${element.getAttribute("aria-label") ?? ""}${label}${element.textContent}`.trim()
  }
  const ids = all("[id]").map(({ id }) => id)
  const levels = all("h1, h2, h3, h4").map(({ tagName }) => Number(tagName[1]))
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map(id => `the id ${id} is there twice`),
    ...all("a, button, input, select, summary")
      .filter(element => nameOf(element) === "")
      .map(element => `no name: ${element.outerHTML}`),
    ...all("svg")
      .filter(
        svg =>
          textOf(svg.getAttribute("aria-labelledby")) === "" ||
          textOf(svg.getAttribute("aria-describedby")) === ""
      )
      .map(svg => `a picture without words: ${svg.outerHTML.slice(0, 80)}`),
    ...levels
      .filter((level, at) => at > 0 && level > (levels[at - 1] ?? 0) + 1)
      .map(level => `a heading of level ${level} stands alone`),
    ...(document.documentElement.scrollWidth > window.innerWidth ? ["it scrolls sideways"] : [])
  ]
}

/** At the width of a telephone, with everything unfolded. */
export const isAccessible = async (page: Page): Promise<void> => {
  const before = page.viewportSize()
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true
  })
  await page.setViewportSize({ width: 390, height: 800 })
  await until(
    () => page.evaluate(faultsIn),
    faults => faults.length === 0
  )
  if (before !== null) await page.setViewportSize(before)
}
