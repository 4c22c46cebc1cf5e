import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { BROWSER_MILLIS, PATIENCE } from "../support/Chromium.ts"
import { type PageBench, payer, signedIn, startPageBench, walletOf } from "../support/PageBench.ts"
import { agree, press, sees } from "../support/WalletPage.ts"
import { fill, focuses, openedAt, openedForm, valueAt } from "./support/FormPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

/** Of the sandbox's project 2, and of its tokens. */
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const opened = (path: string) => openedAt(bench, path)
const form = (id: string) => openedForm(bench, id)

describe("a plan", PATIENCE, () => {
  it("is prepared once, however often it is asked for with the same input", async () => {
    const { page } = await form("prepare_pay")
    const keys: Array<string | undefined> = []
    await page.route("**/api/v1/operations/prepare_pay/plans", async route => {
      keys.push(route.request().headers()["idempotency-key"])
      if (keys.length < 3) return route.abort()
      return route.continue()
    })
    const ask = async () => {
      await page.getByRole("button", { name: "Prepare the plan" }).dblclick()
      await agree(page, "Prepare a plan")
    }
    await fill(page, { "project-projectId": "2", amount: "0.5" })
    await ask()
    await sees(page, "The service did not answer")
    await fill(page, { amount: "0.6" })
    await ask()
    await vi.waitUntil(() => keys.length === 2)
    await page.getByRole("button", { name: "Prepare the plan", disabled: false }).waitFor()
    await ask()
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
    assert.strictEqual(keys[1], keys[2])
    assert.notStrictEqual(keys[0], keys[1])
    assert.lengthOf(keys, 3)
  })

  it("is prepared without the wallet while the person stays signed in", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const { page } = await signedIn(bench, { owner, path: "/console/do/prepare_pay", wallet })
    await fill(page, { "project-projectId": "2", amount: "0.5" })
    const asked = wallet.asked.length
    await press(page, "Prepare the plan")
    await sees(page, "The plan is what it says")
    assert.strictEqual(wallet.asked.length, asked)
  })

  it("to launch a project is filled in as rows that add up on screen", async () => {
    const { owner, page } = await form("prepare_launch")
    await fill(page, {
      "rulesetConfigurations-0-duration": "7 days",
      "rulesetConfigurations-0-weight": "1000"
    })
    await page.getByRole("button", { name: "The chain's multi terminal, for Terminal" }).click()
    await agree(page, "Look up a contract of the protocol")
    await press(page, "Add: Group of splits")
    const splits = "rulesetConfigurations-0-splitGroups-0-splits"
    await press(page, "Add: Share")
    await focuses(page, `at-${splits}-0-percent`)
    await fill(page, { [`${splits}-0-percent`]: "62.5%", [`${splits}-0-beneficiary`]: owner.key.address })
    await sees(page, "62.5 % shared, 37.5 % is left to the project's owner.")
    await press(page, "Add: Share")
    await fill(page, { [`${splits}-1-percent`]: "37.6%", [`${splits}-1-beneficiary`]: owner.key.address })
    await sees(page, "100.1 % shared, more than the whole.")
    await page.getByRole("button", { name: "Move Share 2 up" }).click()
    assert.strictEqual(await valueAt(page, `${splits}-0-percent`), "37.6%")
    await press(page, "Prepare the plan")
    await focuses(page, `at-${splits}`)
    await page.getByRole("button", { name: "Remove Share 1" }).click()
    await focuses(page, `at-${splits}-add`)
    await press(page, "Prepare the plan")
    assert.match(await agree(page, "Prepare a plan"), /a plan to launch a project/)
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
  })
})

const paste = (page: Page, member: string, text: string) =>
  page.locator(`#at-${member}`).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData("text", pasted)
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
  }, text)

describe("a list", PATIENCE, () => {
  it("takes all its rows from one paste", async () => {
    const { page } = await form("prepare_bridge_claim")
    const hashes = Array.from({ length: 32 }, (_, at) => `0x${String(at).padStart(64, "0")}`)
    await paste(page, "claim-proof-0", JSON.stringify(hashes))
    await vi.waitUntil(async () => (await valueAt(page, "claim-proof-31")) === hashes[31])
    assert.strictEqual(await valueAt(page, "claim-proof-0"), hashes[0])
    assert.strictEqual(await page.locator("#at-claim-proof li").count(), 32)
    await paste(page, "claim-proof-31", hashes.slice(0, 2).join(" "))
    await page.getByRole("button", { name: "Remove Hash 33" }).waitFor()
    await page.getByRole("button", { name: "Remove Hash 1", exact: true }).click()
    await vi.waitUntil(async () => (await page.locator("#at-claim-proof li").count()) === 32)
    assert.strictEqual(await page.getByRole("button", { name: /^Remove Hash/ }).count(), 0)
    await paste(page, "claim-proof-0", [...hashes, "0x"].join(" "))
    assert.strictEqual(await page.locator("#at-claim-proof li").count(), 32)
  })
})

describe("an operation that a team added", PATIENCE, () => {
  it("is asked for by its own schema: alternatives, enumerations and parts that are left out", async () => {
    const { page } = await opened("/console")
    const inputJsonSchema = {
      type: "object",
      required: ["vote", "reason"],
      properties: {
        vote: { type: "string", enum: ["for", "against"] },
        reason: {
          anyOf: [
            { type: "string", minLength: 3, description: "a text of three characters" },
            {
              type: "object",
              description: "a number",
              required: ["code"],
              properties: { code: { type: "integer", minimum: 1, description: "an integer from 1" } }
            }
          ]
        },
        proxies: { type: "array", items: { type: "string" } }
      }
    }
    await page.route("**/api/v1/catalog/operations/prepare_vote", route =>
      route.fulfill({
        json: { id: "prepare_vote", description: "Plans a vote.", transaction: true, inputJsonSchema }
      })
    )
    const asked = page.waitForRequest("**/api/v1/operations/prepare_vote/plans", { timeout: 0 })
    await page.evaluate(() => {
      history.pushState(null, "", "/console/do/prepare_vote")
      dispatchEvent(new PopStateEvent("popstate"))
    })
    await sees(page, "Plans a vote.")
    await fill(page, { reason: "no" })
    await page.getByLabel("Reason: which?").selectOption("A number")
    await fill(page, { "reason-code": "0" })
    await page.locator("#at-vote").selectOption("Against")
    await page.getByText("More", { exact: true }).click()
    await press(page, "Add: Proxies")
    await focuses(page, "at-proxies-remove")
    await press(page, "Add: Proxies")
    await fill(page, { "proxies-0": "<i>somebody</i>" })
    await press(page, "Prepare the plan")
    await focuses(page, "at-reason-code")
    await fill(page, { "reason-code": "7" })
    await press(page, "Prepare the plan")
    await agree(page, "Prepare a plan")
    const { vote, reason, proxies } = (await asked).postDataJSON()
    assert.deepStrictEqual(
      { vote, reason, proxies },
      { vote: "against", reason: { code: 7 }, proxies: ["<i>somebody</i>"] }
    )
    await page.getByLabel("Reason: which?").selectOption("A text of three characters")
    assert.strictEqual(await valueAt(page, "reason"), "no")
  })
})

describe("a preview", PATIENCE, () => {
  it("tells what a payment brings, and the project by the names that others chose", async () => {
    const { page } = await form("prepare_pay")
    await fill(page, { "project-projectId": "2", amount: "1" })
    await press(page, "Look up the project")
    await agree(page, "Look up the project")
    await agree(page, "Look up the project")
    await sees(page, "on chain 31337")
    await sees(page, "Demo Token")
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, /brings now/)
    await fill(page, { amount: "2" })
    await sees(page, "The form was changed since: ask again.")
    await page.route("**/api/v1/operations/quote_pay?**", route => route.abort())
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, "The service did not answer")
    assert.strictEqual(await page.getByText("brings now").count(), 0)
  })

  it("tells what a cash out returns and what a payout sends, in whole tokens", async () => {
    const { page } = await form("prepare_cash_out")
    await fill(page, { "project-projectId": "2", cashOutCount: "1", holder: HOLDER })
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, "returns now")
    await sees(page, /^[0-9.]+ ether \([0-9]+ wei\)$/)
    await page.goto(page.url().replace("prepare_cash_out", "prepare_payout?chainId=31337&projectId=2"))
    await press(page, "Ask me each time")
    await fill(page, { amount: "0.000000001", account: OWNER })
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, "pays out now")
    await sees(page, "to the owner")
  })

  it("of the ruleset in force changes nothing of it", async () => {
    const { page } = await form("prepare_ruleset_change")
    await fill(page, { "project-projectId": "2", account: OWNER })
    await press(page, "Look up the project")
    await agree(page, "Look up the project")
    await agree(page, "Look up the project")
    await page.getByRole("button", { name: "Remove Ruleset 1" }).click()
    await press(page, "Fill in the ruleset in force as ruleset 1")
    await sees(page, "7 days, 604800 seconds")
    await sees(page, "the reserved tokens")
    await sees(page, "payouts in the chain's own token")
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, "may queue")
    await sees(page, "compared with the one before it")
    assert.strictEqual(await page.locator(".preview").getByText("becomes").count(), 0)
    await press(page, "As the ruleset before, for Issuance")
    await sees(page, "as the ruleset before issues, less its cut")
  })

  it("tells what queued rulesets change and whether the wallet may queue them", async () => {
    const { page } = await form("prepare_ruleset_change")
    await fill(page, { "project-projectId": "2", "rulesetConfigurations-0-weight": "5" })
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, "may not queue")
    await sees(page, /becomes/)
  })
})
