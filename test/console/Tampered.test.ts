import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { signCall } from "../support/SignedCalls.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import {
  altered,
  offers,
  type PageBench,
  payer,
  read,
  recommitted,
  startPageBench,
  tampered,
  walletOf
} from "./support/PageBench.ts"
import { agree, press, sees, type Wallet } from "./support/WalletPage.ts"

const NOBODY = "0x00000000000000000000000000000000000000bb"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

describe("an answer that was tampered with", PATIENCE, () => {
  const dangerous = async (page: Page, wallet: Wallet, text: string) => {
    await sees(page, "Danger: sign nothing of this plan")
    await sees(page, text)
    for (const name of ["Simulate", "Prepare the transaction", "Paste a signed transaction"])
      assert.strictEqual(await offers(page, name), 0)
    await sees(page, "Nothing of this plan can be signed here.")
    assert.notInclude(wallet.asked, "eth_signTransaction")
  }

  it("is a danger when the commitment no longer fits", async () => {
    const { page, wallet } = await tampered(bench, (_, plan) => altered(plan, { value: "999" }))
    await agree(page, "List the bots")
    await dangerous(page, wallet, "the commitment does not match this plan")
  })

  it("is a danger when the commitment fits and the calldata does not say what is shown", async () => {
    const { page, wallet } = await tampered(bench, (owner, plan) => {
      const data = callOf(plan).data.replace(owner.key.address.slice(2).toLowerCase(), NOBODY.slice(2))
      return recommitted(owner, altered(plan, { data: `0x${data.slice(2)}` }))
    })
    await dangerous(page, wallet, "step 0: the calldata carries other arguments than shown")
  })

  it("is a danger when another plan comes in its place after it was shown and signed", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    let asked = 0
    const other = (honest: Plan) => recommitted(owner, { ...honest, warnings: ["another"] })
    const change = (honest: Plan) => (asked++ === 0 ? honest : other(honest))
    const wallet = walletOf(bench, owner)
    const { page } = await read(bench, { owner, plan, wallet, change })
    await sees(page, "The plan is what it says")
    await press(page, "Paste a signed transaction")
    const raw = await signCall(bench.sandbox, owner, callOf(plan))
    await page.getByLabel("Signed transaction in hexadecimal").fill(raw)
    await press(page, "Check it")
    await sees(page, "Signed, and exactly the planned call")
    await press(page, "Look at the chain again")
    await agree(page, "Look at the chain again")
    await dangerous(page, wallet, "the plan is another one than this page showed before")
    assert.strictEqual(await offers(page, "Submit"), 0)
  })

  it("is a danger when another address is in the place of the published one", async () => {
    const { page, wallet } = await tampered(bench, (owner, plan) =>
      recommitted(owner, altered(plan, { to: NOBODY }))
    )
    await dangerous(page, wallet, "step 0: the catalog publishes this contract at other addresses only")
  })
})
