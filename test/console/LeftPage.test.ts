/** A page that was left asks nothing more, and no question tells what another is about. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { callOf, payment, planned } from "../support/PlannedCalls.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { keptTexts, send } from "./support/OwnPlan.ts"
import { type PageBench, payer, read, startPageBench, walletOf } from "./support/PageBench.ts"
import { asAsked, type Sending } from "./support/Sendings.ts"
import { agree, press, sees } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench({ confirmations: 1 })
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const VALUE = "5000000000000000"

const otherPlan = (owner: Party): Promise<Plan> => {
  const { address } = owner.key
  const args = ["2", NATIVE_TOKEN, VALUE, address, "0", "the other one", "0x"]
  return planned(bench.sandbox, owner, { calls: [payment(bench.sandbox, address, { args, value: VALUE })] })
}

/** By a link, without loading the page anew. */
const turnTo = (page: Page, { id }: Plan, { accountId }: Party): Promise<void> =>
  page.evaluate(href => {
    const link = document.createElement("a")
    link.href = href
    document.body.append(link)
    link.click()
  }, `/console/plans/${id}#account=${accountId}`)

const pasted = async (page: Page, owner: Party, plan: Plan): Promise<void> => {
  await press(page, "Paste a signed transaction")
  await page.getByLabel("the hash of a sent one").fill(await signCall(bench.sandbox, owner, callOf(plan)))
  await press(page, "Check it")
  await sees(page, "Signed, and exactly the planned call")
}

describe("a plan's page that was left while its wallet was asked", PATIENCE, () => {
  it("keeps what the wallet tells then, and asks nothing over the page of another plan", async () => {
    const owner = await payer(bench)
    const [plan, other] = [await planned(bench.sandbox, owner), await otherPlan(owner)]
    let answer = () => {}
    const open: Sending = (...asked) =>
      new Promise((resolve, reject) => {
        answer = () => void asAsked(...asked).then(resolve, reject)
      })
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: open })
    const { page } = await read(bench, { owner, plan, wallet })
    await send(page)
    await agree(page, "Read the plan")
    await vi.waitUntil(() => wallet.asked.includes("eth_sendTransaction"))
    await turnTo(page, other, owner)
    await agree(page, "Read the plan")
    await sees(page, /0\.005 ETH/)
    answer()
    await vi.waitUntil(async () => /^0x[0-9a-f]{64}$/.test((await keptTexts(page)).join()))
    await press(page, "Look at the chain again")
    await agree(page, "Look at the chain again")
    await pasted(page, owner, other)
    await press(page, "Submit")
    const question = await agree(page, "Submit step 0")
    assert.include(question, other.id)
    assert.notInclude(question, plan.id)
    await sees(page, "What became of it")
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })
})

describe("a question while the wallet has not answered another one", PATIENCE, () => {
  it("does not tell what that one is about", async () => {
    const owner = await payer(bench)
    const [plan, other] = [await planned(bench.sandbox, owner), await otherPlan(owner)]
    const { page } = await read(bench, { owner, plan: other, wallet: walletOf(bench, owner) })
    await pasted(page, owner, other)
    await page.evaluate(() => {
      const wallet = Reflect.get(window, "ethereum")
      const { request } = wallet
      const hanging = (call: { readonly method: string }) => {
        if (call.method !== "eth_signTypedData_v4") return request(call)
        Reflect.set(wallet, "request", request)
        return new Promise(() => {})
      }
      Reflect.set(wallet, "request", hanging)
    })
    await press(page, "Submit")
    assert.include(await agree(page, "Submit step 0"), "the other one")
    await turnTo(page, plan, owner)
    assert.notInclude(await agree(page, "Read the plan"), "the other one")
  })
})
