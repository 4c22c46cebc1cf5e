import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { planIds } from "../../../src/operations/generated/OperationIds.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { BROWSER_MILLIS } from "../support/Chromium.ts"
import { type PageBench, payer, seated, signedIn, startPageBench, walletOf } from "../support/PageBench.ts"
import { agree, press, sees, type WalletPage } from "../support/WalletPage.ts"

/** A browser beside a service on a busy machine takes its time. */
vi.setConfig({ testTimeout: 120_000 })

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

interface Filled extends WalletPage {
  readonly owner: Party
}

const opened = async (path: string): Promise<Filled> => {
  const owner = await payer(bench)
  return { owner, ...(await seated(bench, { owner, path, wallet: walletOf(bench, owner) })) }
}

const form = async (id: string): Promise<Filled> => {
  const found = await opened(`/console/do/${id}`)
  await found.page.getByRole("button", { name: "Prepare the plan" }).waitFor()
  return found
}

/** Of the sandbox's project 2, and of its tokens. */
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const focuses = (page: Page, id: string) =>
  page.waitForFunction(wanted => document.activeElement?.id === wanted, id)

const fill = (page: Page, texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).reduce(
    (before, [member, text]) => before.then(() => page.locator(`#at-${member}`).fill(text)),
    Promise.resolve()
  )

const valueAt = (page: Page, member: string) => page.locator(`#at-${member}`).inputValue()

describe("the operations", () => {
  it("are found by words, and a form is opened and sent by the keyboard alone", async () => {
    const { page, fetched, faults } = await opened("/console/do")
    await sees(page, "18 of 18 operations")
    await page.getByLabel("Search by words").focus()
    await page.keyboard.type("donate")
    await sees(page, "1 of 18 operations")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator("#at-project-projectId").focus()
    await page.keyboard.type("2")
    await page.locator("#at-amount").focus()
    await page.keyboard.type("0.25")
    await sees(page, "0.25 ether, exactly 250000000000000000 with 18 decimals")
    await page.keyboard.press("Enter")
    assert.match(await agree(page, "Prepare a plan"), /a plan to pay a project/)
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
    assert.match(page.url(), /\/console\/plans\/[0-9a-f-]{36}#account=eip155:/)
    await sees(page, "0.25 ether")
    assert.deepStrictEqual(
      [...new Set(fetched.map(url => new URL(url).origin))],
      [bench.sandbox.service.audience]
    )
    assert.deepStrictEqual(faults, [])
  })

  it("that are not there are said not to be", async () => {
    const { page } = await opened("/console/do/prepare_nothing")
    await sees(page, "There is no such operation")
  })

  it("have a label for every control, and no sideways scrolling on a phone, opened wide or wrong", async () => {
    const { page, faults } = await opened("/console/do")
    await page.setViewportSize({ width: 390, height: 800 })
    for (const id of planIds) {
      await page.getByRole("link", { name: "Do", exact: true }).click()
      await page.locator(`a[href="/console/do/${id}"]`).click()
      await press(page, "Prepare the plan")
      await page.getByRole("region", { name: "What is wrong" }).waitFor()
      const found = await page.evaluate(() => {
        for (const folded of document.querySelectorAll("details")) folded.open = true
        const controls = [
          ...document.querySelectorAll<HTMLInputElement>("form input, form select, form textarea")
        ]
        const ids = [...document.querySelectorAll("[id]")].map(({ id: each }) => each)
        const described = controls.flatMap(each => each.getAttribute("aria-describedby")?.split(" ") ?? [])
        return {
          unlabelled: controls.filter(({ labels }) => labels?.length !== 1).map(each => each.id),
          twice: ids.filter((each, at) => ids.indexOf(each) !== at),
          undescribed: described.filter(each => document.getElementById(each) === null),
          wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          isFirstFocused:
            document.activeElement === document.querySelector("[aria-invalid=true], fieldset:focus")
        }
      })
      const wanted = { unlabelled: [], twice: [], undescribed: [], wide: 0, isFirstFocused: true }
      assert.deepStrictEqual(found, wanted, id)
    }
    assert.deepStrictEqual(faults, [])
  })
})

describe("a refusal", () => {
  it("of the browser turns to the first wrong field, and goes away as it is put right", async () => {
    const { page } = await form("prepare_pay")
    await fill(page, { "project-projectId": "2", amount: "1,5", beneficiary: "0xabc" })
    await press(page, "Prepare the plan")
    await sees(page, "2 things are to be put right")
    await focuses(page, "at-amount")
    assert.strictEqual(
      await page.locator("#at-amount-wrong").textContent(),
      "This must be a number such as 1.5, with a point and at most 18 decimals."
    )
    await fill(page, { amount: "1.5" })
    await sees(page, "One thing is to be put right")
    assert.strictEqual(await page.locator("#at-amount-wrong").count(), 0)
    assert.strictEqual(await valueAt(page, "beneficiary"), "0xabc")
  })

  it("of the service is shown at its member, and loses nothing that was typed", async () => {
    const { page } = await form("prepare_pay")
    const memo = '<b onclick="x()">hi</b> \u202e'
    await page.getByText("More", { exact: true }).click()
    await fill(page, { "project-projectId": "999999", amount: "0.5", memo })
    await press(page, "Prepare the plan")
    await agree(page, "Prepare a plan")
    await page.locator("#at-project-wrong").waitFor()
    await focuses(page, "at-project")
    assert.deepStrictEqual(
      [await valueAt(page, "project-projectId"), await valueAt(page, "amount"), await valueAt(page, "memo")],
      ["999999", "0.5", memo]
    )
    assert.strictEqual(await page.locator("form b").count(), 0)
  })

  it("that names no member of the form is told above it", async () => {
    const { page } = await form("prepare_payout")
    await fill(page, { "project-projectId": "2", amount: "1000000" })
    await page.route("**/api/v1/operations/prepare_payout/plans", route => route.abort())
    await press(page, "Prepare the plan")
    await agree(page, "Prepare a plan")
    await sees(page, "The service did not answer")
    assert.strictEqual(await valueAt(page, "amount"), "1000000")
  })
})

describe("a plan", () => {
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

describe("a preview", () => {
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

  it("tells what queued rulesets change and whether the wallet may queue them", async () => {
    const { page } = await form("prepare_ruleset_change")
    await fill(page, { "project-projectId": "2", "rulesetConfigurations-0-weight": "5" })
    await press(page, "Preview")
    await agree(page, "Ask the service")
    await sees(page, "may not queue")
    await sees(page, /becomes/)
  })
})
