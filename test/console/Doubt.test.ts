import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { shown } from "../support/Submissions.ts"
import { BROWSER_MILLIS } from "./support/Chromium.ts"
import { keptTexts, ownPlan, planOf, send, type Tab } from "./support/OwnPlan.ts"
import { offers, type PageBench, startPageBench } from "./support/PageBench.ts"
import { asAsked, type Sending } from "./support/Sendings.ts"
import { press, Refused, sees, type Wallet } from "./support/WalletPage.ts"

/** A browser beside a service on a busy machine takes its time. */
const PATIENCE = { timeout: 120_000 }

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const isFinal = async ({ owner, page }: Tab): Promise<void> => {
  await sees(page, /Seen by the chain in block/)
  await mine(bench.sandbox)
  await sees(page, "Effects verified")
  assert.deepStrictEqual(await keptTexts(page), [])
  const step = stepOf(await shown(bench.sandbox.service, owner, { id: planOf(page) }))
  assert.strictEqual(step.dispatch?.status, "already-observed")
}

const times = ({ asked }: Wallet, method: string): number => asked.filter(each => each === method).length

describe("a wallet's node that tells less than a transaction is", PATIENCE, () => {
  it("is followed where it leaves the chain out, which the call names", async () => {
    const tell = (told: unknown) => ({ ...Object(told), chainId: undefined })
    const tab = await ownPlan(bench, { signsTransactions: false, tell })
    await send(tab.page)
    await isFinal(tab)
  })

  it("says nothing of what was sent, which stays known and is looked for again", async () => {
    const tab = await ownPlan(bench, { signsTransactions: false, tell: () => ({}) })
    await send(tab.page)
    await sees(tab.page, "The wallet's node does not prove what was sent")
    await sees(tab.page, "does not lead to bytes of this hash")
    await sees(tab.page, "Do not send the step again")
    assert.match((await keptTexts(tab.page)).join(), /^0x[0-9a-f]{64} /)
    assert.strictEqual(await offers(tab.page, "Send with the wallet"), 0)
    tab.wallet.tell = told => told
    await press(tab.page, "Have the service follow it")
    await isFinal(tab)
  })
})

const failing: Sending = async (...asked) => {
  await asAsked(...asked)
  throw new Refused(-32_603, "Internal JSON-RPC error.")
}

describe("a wallet of which nobody knows whether it sent", PATIENCE, () => {
  it("is not asked again by the button that is there already", async () => {
    const { page, wallet } = await ownPlan(bench, { signsTransactions: false, send: failing })
    await send(page)
    await sees(page, "Look in the wallet whether it was sent")
    await sees(page, "only if it was not, prepare it again")
    assert.strictEqual(await offers(page, "Send with the wallet"), 0)
    assert.strictEqual(times(wallet, "eth_sendTransaction"), 1)
  })
})
