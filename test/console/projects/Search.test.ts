import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { until } from "../../support/Until.ts"
import { BROWSER_MILLIS, PATIENCE } from "../support/Chromium.ts"
import { press, sees } from "../support/WalletPage.ts"
import { isAccessible } from "./support/Accessible.ts"
import { CHAIN, DEMO, ETHER, HASH, insertEvent, inserted, insertProject } from "./support/IndexedProject.ts"
import { type ProjectBench, startProjectBench } from "./support/ProjectBench.ts"

const EVIL = `</a><b onclick="x">\u202Eevil\u0007`
const MANY = 25

let bench: ProjectBench

beforeAll(async () => {
  bench = await startProjectBench()
  const { source, owner } = bench
  const wallet = owner.key.address.toLowerCase()
  await insertProject(source, { createdAt: 1_780_000_000 })
  await insertProject(source, { projectId: 3, name: EVIL, owner: wallet, tokens: ["0xaa", "0xbb"] })
  for (let index = 0; index < MANY; index++)
    await insertProject(source, {
      projectId: 100 + index,
      name: `Many ${index}`,
      createdAt: 1_600_000_000 + index
    })
  const held = { address: wallet, creditBalance: "0", createdAt: 1_750_000_000 }
  const balance = String(2500n * ETHER)
  await inserted(source, "participant", [
    { ...held, balance, erc20Balance: balance },
    { ...held, projectId: 3, balance: "0", erc20Balance: "0" }
  ])
  const from = wallet
  await insertEvent(
    source,
    "payEvent",
    { timestamp: 1_750_000_000, from },
    { amount: String(3n * ETHER), newlyIssuedTokenCount: "1", memo: EVIL }
  )
  await insertEvent(
    source,
    "cashOutTokensEvent",
    { timestamp: 1_750_000_100, from },
    { cashOutCount: String(ETHER), reclaimAmount: "1" }
  )
  await insertEvent(
    source,
    "payEvent",
    { timestamp: 1_750_000_200 },
    { amount: "1", memo: "of somebody else" }
  )
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

describe("the search for projects", PATIENCE, () => {
  it("lists the newest first, with name, balance and time, page after page", async () => {
    const page = await bench.open("/console/projects")
    const found = page.locator("ol.events > li")
    await until(
      () => found.count(),
      count => count === 20
    )
    assert.match(
      (await found.first().textContent()) ?? "",
      /^Project 2 on Local sandbox \(31337\) "Demo"balance 10 ethercreated .*2026/
    )
    const evil = found.filter({ hasText: "Project 3 " })
    assert.include((await evil.textContent()) ?? "", "\\u{202E}evil\\u{7}")
    assert.include((await evil.textContent()) ?? "", "balances in 2 tokens")
    await press(page, "More projects")
    await until(
      () => found.count(),
      count => count === MANY + 2
    )
    assert.strictEqual(await page.getByRole("button", { name: "More projects" }).count(), 0)
    await isAccessible(page)
  })

  it("finds by name, number and owner with the keyboard alone, and each answer has an address of its own", async () => {
    const page = await bench.open("/console/projects")
    await sees(page, "Read again")
    const asked = page.getByLabel("Name, owner or number")
    const answers = async (text: string) => {
      await asked.fill(text)
      await asked.press("Enter")
      await page.waitForURL(url => url.searchParams.get("q") === text)
      await sees(page, "Read again")
      return page.locator("ol.events a").allTextContents()
    }
    assert.deepStrictEqual(await answers("many 24"), [`Project 124 on Local sandbox (${CHAIN})`])
    assert.include(await answers("2"), `Project 2 on Local sandbox (${CHAIN})`)
    assert.deepStrictEqual(await answers(bench.owner.key.address), [`Project 3 on Local sandbox (${CHAIN})`])
    assert.deepStrictEqual(await answers(EVIL.slice(0, 4)), [`Project 3 on Local sandbox (${CHAIN})`])
    assert.deepStrictEqual(await answers("100%"), [])
    await sees(page, "The index has no such project.")
    await page.goBack()
    await until(
      () => page.locator("ol.events a").count(),
      count => count === 1
    )
    await page.locator("ol.events a").press("Enter")
    await page.waitForURL(`**/console/projects/${CHAIN}/3#*`)
  })

  it("leads straight to a number on a chain", async () => {
    const page = await bench.open(`/console/projects?q=${DEMO}&on=${CHAIN}`)
    await page.getByRole("link", { name: `Open project ${DEMO} of this chain` }).press("Enter")
    await sees(page, "What the ruleset says")
  })
})

describe("the activity of the wallet", PATIENCE, () => {
  it("is what it holds and what it did, newest first, and nobody else's", async () => {
    const page = await bench.open("/console/activity")
    await sees(page, "2500 tokens")
    await sees(page, /as ERC-20 tokens, 25 % of the supply on its chain/)
    const happened = page.locator("section").last().locator(".happened")
    await until(
      () => happened.count(),
      count => count === 2
    )
    const [cashOut, paid] = await happened.allTextContents()
    assert.match(cashOut ?? "", /^Cashed out 1 token for 0\.000000000000000001 ether to 0x/)
    assert.match(paid ?? "", /^Paid 3 ether, which issued .* saying ".*\\u\{202E\}evil\\u\{7\}"$/)
    assert.strictEqual(await page.locator("time").first().getAttribute("title"), "2025-06-15T15:08:20Z")
    assert.strictEqual(await page.getByText("of somebody else").count(), 0)
    await isAccessible(page)
  })

  it("has hashes that are short to read and whole to copy, and links to the projects", async () => {
    const page = await bench.open("/console/activity")
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page
      .getByRole("button", { name: `Copy the transaction ${HASH}` })
      .first()
      .press("Enter")
    await sees(page, "Copied")
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), HASH)
    await page
      .getByRole("link", { name: `Project ${DEMO} on` })
      .first()
      .press("Enter")
    await page.waitForURL(`**/console/projects/${CHAIN}/${DEMO}#*`)
    assert.deepStrictEqual(bench.faults(), [])
  })
})
