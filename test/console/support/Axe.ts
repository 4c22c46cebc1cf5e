/** What axe finds wrong with a page. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const SOURCE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const LOOKS = [
  { colorScheme: "light", width: 1180 },
  { colorScheme: "dark", width: 1180 },
  { colorScheme: "light", width: 390 }
] as const

interface Finding {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

/** Runs in the page. */
const found = async (): Promise<ReadonlyArray<Finding>> => {
  const { violations } = await Reflect.get(window, "axe").run({ resultTypes: ["violations"] })
  return violations.map(({ id, nodes }: Finding) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
}

/** Runs in the page: words of labels that begin on one line and end on another, and what is wider than the screen. */
const broken = (): ReadonlyArray<string> => {
  const isCut = (node: Node, [from, to]: readonly [number, number]): boolean => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4))).size > 1
  }
  const labels = "label, button, summary, legend, th, dt, h1, h2, h3, h4, a, .state"
  const found = [...document.querySelectorAll(labels)].flatMap(label => {
    const nodes = document.createTreeWalker(label, NodeFilter.SHOW_TEXT)
    const cut: Array<string> = []
    while (nodes.nextNode() !== null) {
      const { currentNode: node } = nodes
      if (node.parentElement?.closest("code") !== null) continue
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu))
        if (isCut(node, [index, index + word.length])) cut.push(`the word "${word}" is broken`)
    }
    return cut
  })
  const isWide = document.documentElement.scrollWidth > window.innerWidth
  return isWide ? [...found, "it scrolls sideways"] : found
}

/** Light, dark and as wide as a telephone, with everything unfolded. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE)
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true
  })
  const all: Array<string> = []
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const findings = await page.evaluate(found)
    const where = `${new URL(page.url()).pathname}, ${colorScheme}, ${width} wide`
    all.push(...(await page.evaluate(broken)).map(each => `${where}: ${each}`))
    all.push(...findings.map(({ id, nodes }) => `${where}: ${id} at ${nodes[0]?.html}`))
  }
  return all
}
