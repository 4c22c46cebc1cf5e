import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Row } from "../../../sandbox/index/Cursors.ts"
import { instantText } from "../../../src/review/Times.ts"
import { graphqlAnswer } from "../../support/IndexedSource.ts"
import { until } from "../../support/Until.ts"
import { BROWSER_MILLIS, PATIENCE } from "../support/Chromium.ts"
import { press, sees } from "../support/WalletPage.ts"
import { isAccessible } from "./support/Accessible.ts"
import {
  CHAIN,
  DAY,
  DEMO,
  ETHER,
  inForceNow,
  insertEvent,
  inserted,
  insertPast,
  insertProject
} from "./support/IndexedProject.ts"
import { type ProjectBench, startProjectBench } from "./support/ProjectBench.ts"

const EVIL = `<script>window.ran=1</script><img src=x onerror="window.ran=1">\u202Eevil`
const FEE_PROJECT = 1
const EMPTY = 3

const LEFT_OUT = { code: "INDEXER_RESPONSE_TOO_LARGE", message: "The row is too large.", retryable: false }

const isSecond = ({ block }: Row): boolean => block === 2

let bench: ProjectBench

beforeAll(async () => {
  bench = await startProjectBench()
  const { source, sandbox, owner } = bench
  await insertProject(source)
  await insertProject(source, { projectId: FEE_PROJECT, name: EVIL })
  await insertPast(source, await inForceNow(sandbox, owner))
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const openProject = async (projectId: number) => {
  const page = await bench.open(`/console/projects/${CHAIN}/${projectId}`)
  await page.getByRole("button", { name: "Read again" }).waitFor()
  await sees(page, "What happened")
  return page
}

describe("the page of a project", PATIENCE, () => {
  it("says whose it is, what its ruleset says, what it holds and who gets what, and rests on a block", async () => {
    const page = await openProject(DEMO)
    await sees(page, /^Payouts in numbers$/)
    const text = await page.locator("main").textContent()
    for (const told of [
      `Project 2 on Local sandbox (${CHAIN}) calls itself "Demo"`,
      "1000 tokens for each ether paid in, cut by 5 % each cycle",
      "20 % of what is issued",
      "a rate of 50 %",
      "each cycle takes 7 days",
      "950 tokens for each ether paid in",
      "2 ether left of 2 ether in this cycle",
      "25 %the rest, to the owner",
      "0 tokens, 0 % of the supply on its chain"
    ])
      assert.include(text ?? "", told)
    await page.getByText("Show", { exact: true }).press("Enter")
    await sees(page, "may mint tokens at any time")
    await page.getByText("What this rests on").click()
    await sees(page, /from the chain at block/)
    await isAccessible(page)
  })

  it("draws balance, issuance and payouts, says each in a sentence, and has a table of the same numbers", async () => {
    const page = await openProject(DEMO)
    const [balance, issuance, payouts] = ["Balance", "Issuance", "Payouts"].map(title =>
      page.getByRole("img", { name: `${title} over time` })
    )
    await issuance?.waitFor()
    assert.match(
      (await balance?.locator("path.line").getAttribute("d")) ?? "",
      /^M[\d.]+ [\d.]+(?:H[\d.]+V[\d.]+)+H[\d.]+$/
    )
    assert.strictEqual(await payouts?.locator("rect.bar").count(), 2)
    await sees(page, /between 0 ether and 12 ether, at last 10 ether\.$/)
    await sees(page, /2, in all 4 ether\.$/)
    await sees(page, /between 1000 tokens and 2000 tokens, at last 1000 tokens\.$/)
    await page.getByText("Issuance in numbers").press("Enter")
    const cells = page.getByRole("row").filter({ hasText: "1312.2" })
    assert.strictEqual(await cells.count(), 1)
  })

  it("takes names of others as texts, asks nothing of anybody else, and offers what may be done", async () => {
    const page = await openProject(FEE_PROJECT)
    const name = page.locator(".foreign").first()
    assert.include((await name.textContent()) ?? "", "\\u{202E}evil")
    assert.isUndefined(await page.evaluate(() => Reflect.get(window, "ran")))
    await sees(page, "The index has nothing of this yet.")
    await page.getByRole("link", { name: "Pay", exact: true }).press("Enter")
    await page.waitForURL(`**/console/do/prepare_pay?chainId=${CHAIN}&projectId=${FEE_PROJECT}#*`)
    await page.goBack()
    await page.getByRole("button", { name: "Read again" }).waitFor()
    const origins = new Set(bench.fetched().map(url => new URL(url).origin))
    assert.deepStrictEqual([...origins], [bench.sandbox.service.audience])
    assert.deepStrictEqual(bench.faults(), [])
  })

  it("of a project that the index does not know shows what the chain says", async () => {
    const page = await openProject(EMPTY)
    await sees(page, `Project ${EMPTY} on Local sandbox (${CHAIN}), of which the index knows nothing`)
    await sees(page, "What the ruleset says")
    await isAccessible(page)
  })

  it("says of one that is not there that it is not, and keeps what the index has", async () => {
    await insertProject(bench.source, { projectId: 404, name: "Gone" })
    const page = await openProject(404)
    await sees(page, "PROJECT_NOT_FOUND")
    await sees(page, "The index has nothing of this project's past yet.")
    await sees(page, '"Gone"')
  })
})

describe("an index that lacks something", PATIENCE, () => {
  it("leaves the chain's part standing, says what failed, and is asked again by the person", async () => {
    bench.source.intercept(async ({ ...request }, pass) =>
      JSON.stringify(request).includes("projectMoments") ? graphqlAnswer({}, 500) : pass()
    )
    const page = await openProject(DEMO)
    await sees(page, /^not known: INDEXER_/)
    await sees(page, "10 ether")
    bench.source.intercept()
    await press(page, "Read again")
    await page.getByRole("img", { name: "Balance over time" }).waitFor()
  })

  it("shows a gap where a row is left out, and none is drawn over it", async () => {
    const { source } = bench
    const moment = (index: number, balance: string) => ({
      projectId: EMPTY,
      block: index,
      timestamp: 1_790_000_000 + index * DAY,
      balance,
      volume: "0"
    })
    await inserted(
      source,
      "projectMoment",
      [1, 2, 4].map(index => moment(index, String(BigInt(index) * ETHER)))
    )
    const page = await openProject(EMPTY)
    const hatched = page.getByRole("img", { name: "Balance over time" }).locator("rect.gap")
    await page.getByRole("img", { name: "Balance over time" }).waitFor()
    assert.strictEqual(await hatched.count(), 0)
    await page.route("**/api/v1/indexer/projectMoment?*", async route => {
      const response = await route.fetch()
      const { items, ...rest } = await response.json()
      const [lost, kept] = [items.filter(isSecond), items.filter((item: Row) => !isSecond(item))]
      const degraded = lost.map((key: Row) => ({ key, error: LEFT_OUT }))
      await route.fulfill({ response, json: { ...rest, items: kept, degraded } })
    })
    await press(page, "Read again")
    await until(
      () => hatched.count(),
      count => count === 1
    )
    await sees(page, /Of one stretch nothing is known/)
  })
})

describe("a long past", PATIENCE, () => {
  it("is read page after page, its beginning a gap until it is there", async () => {
    const { source } = bench
    const times = Array.from({ length: 120 }, (_, index) => 1_790_000_000 + index * 3600)
    await inserted(
      source,
      "projectMoment",
      times.map((timestamp, block) => ({
        projectId: FEE_PROJECT,
        block,
        timestamp,
        balance: String(block),
        volume: "0"
      }))
    )
    for (const timestamp of times.slice(0, 25))
      await insertEvent(
        source,
        "payEvent",
        { projectId: FEE_PROJECT, timestamp },
        { amount: String(ETHER), memo: `number ${timestamp}` }
      )
    const page = await openProject(FEE_PROJECT)
    await sees(page, "at last 0.000000000000000119 ether")
    const told = page.locator(".told").first()
    const earlier = page.getByRole("button", { name: "What was before" })
    const beginning = `From ${instantText((times[0] ?? 0) * 1000)} `
    assert.notInclude((await told.textContent()) ?? "", beginning)
    await earlier.click()
    await until(
      () => told.textContent(),
      text => text?.includes(instantText((times[20] ?? 0) * 1000)) === true
    )
    await earlier.click()
    await until(
      () => told.textContent(),
      text => text?.startsWith(beginning) === true
    )
    assert.strictEqual(await earlier.count(), 0)
    const events = page.locator("ol.events > li")
    assert.strictEqual(await events.count(), 20)
    await press(page, "More of what happened")
    await until(
      () => events.count(),
      count => count === 25
    )
    await isAccessible(page)
  })
})

describe("who is not signed in", PATIENCE, () => {
  it("is asked by the wallet only after pressing, and for each part in turn", async () => {
    const page = await bench.openAsked(`/console/projects/${CHAIN}/${DEMO}`)
    await sees(page, "Reading asks the wallet for a signature for each part")
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    await press(page, "Read the project")
    await page.getByRole("dialog").waitFor()
    assert.strictEqual(await page.getByRole("dialog").count(), 1)
    await page.getByRole("button", { name: "Cancel" }).click()
    await sees(page, "This was not signed")
  })
})
