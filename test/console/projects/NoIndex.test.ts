import { afterAll, assert, beforeAll, it } from "vitest"
import { BROWSER_MILLIS, PATIENCE } from "../support/Chromium.ts"
import { sees } from "../support/WalletPage.ts"
import { isAccessible } from "./support/Accessible.ts"
import { CHAIN, DEMO } from "./support/IndexedProject.ts"
import { type ProjectBench, startProjectBench } from "./support/ProjectBench.ts"

let bench: ProjectBench

beforeAll(async () => {
  bench = await startProjectBench(false)
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const ABSENT = "This service asks no index of this network, so this part stays empty."

it(
  "a project without an index is what its chain says, and the other parts say why they are empty",
  PATIENCE,
  async () => {
    const page = await bench.open(`/console/projects/${CHAIN}/${DEMO}`)
    await sees(page, "1000 tokens")
    await sees(page, "0 % of the supply on its chain")
    await page.getByRole("heading", { name: "What happened" }).waitFor()
    await sees(page, ABSENT)
    assert.strictEqual(await page.getByText(ABSENT).count(), 2)
    await isAccessible(page)
  }
)

it(
  "without an index a search says so, and a number on a chain is still a way to a project",
  PATIENCE,
  async () => {
    const page = await bench.open(`/console/projects?q=${DEMO}&on=${CHAIN}`)
    await sees(page, ABSENT)
    await page.getByRole("link", { name: `Open project ${DEMO} of this chain` }).press("Enter")
    await sees(page, "What the ruleset says")
  }
)

it("without an index there is no activity, and the page says where to look instead", PATIENCE, async () => {
  const page = await bench.open("/console/activity")
  await sees(page, "This service asks no index, and the chains alone do not list what a wallet did.")
  await isAccessible(page)
  assert.deepStrictEqual(bench.faults(), [])
})
