/** What axe finds wrong with a page. */
import axe from "axe-core"
import type { Page } from "playwright-core"

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
  const { violations } = await Reflect.get(window, "axe").run()
  return violations.map(({ id, nodes }: Finding) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
}

/** Light, dark and as wide as a telephone, with everything unfolded. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true
  })
  const all: Array<string> = []
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const findings = await page.evaluate(found)
    const where = `${new URL(page.url()).pathname}, ${colorScheme}, ${width} wide`
    all.push(...findings.map(({ id, nodes }) => `${where}: ${id} at ${nodes[0]?.html}`))
  }
  return all
}
