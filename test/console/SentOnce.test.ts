/** What left once is offered no second time by any other way of the pages: as a transaction, anew, by somebody else or as another payment. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { lookAnew } from "../sponsorship/support/Quoted.ts"
import { published } from "../sponsorship/support/Signing.ts"
import { sponsorshipFor } from "../sponsorship/support/Sponsored.ts"
import { planned } from "../support/PlannedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { keptTexts, planOf, send } from "./support/OwnPlan.ts"
import {
  enter,
  offers,
  type PageBench,
  payer,
  read,
  seated,
  signedIn,
  startPageBench,
  walletOf
} from "./support/PageBench.ts"
import type { Sending } from "./support/Sendings.ts"
import { agree, besides, press, Refused, reopened, sees, type Wallet } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench({ sponsored: true, confirmations: 1 })
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const HASH = `0x${"ab".repeat(32)}`

/** Of a transaction that no node has. */
const told: Sending = async () => HASH

const failing: Sending = async () => {
  throw new Refused(-32_603, "Internal JSON-RPC error.")
}

const timesSent = ({ asked }: Wallet): number => asked.filter(each => each === "eth_sendTransaction").length

const PREPARE = "Prepare the transaction"
const ANEW = "Prepare the same calls anew"
const SPONSOR = "Have somebody else pay the gas"
const PAY = "Prepare the payment on chain 31337"

describe("a plan whose requests were published", PATIENCE, () => {
  it("offers no transaction in their place, and no other plan of the same calls", async () => {
    const owner = await payer(bench)
    const { service } = bench.sandbox
    const plan = await planned(bench.sandbox, owner)
    await published(service, owner, await sponsorshipFor(service, owner, plan))
    const path = `/console/plans/${plan.id}`
    const { page } = await signedIn(bench, { owner, path, wallet: walletOf(bench, owner) })
    await agree(page, "Read the plan")
    await sees(page, "The step has left by another way")
    assert.deepStrictEqual([await offers(page, PREPARE), await offers(page, ANEW)], [0, 0])
  })
})

describe("a step that the wallet was asked to send", PATIENCE, () => {
  it("is not to be sponsored, nor prepared anew, while nobody knows whether it was sent", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: failing })
    const { page } = await read(bench, { owner, plan, wallet })
    await page.getByRole("button", { name: SPONSOR }).waitFor()
    await send(page)
    await agree(page, "Read the plan")
    await sees(page, "Look in the wallet whether it was sent")
    const next = await reopened(page, wallet)
    await enter(next)
    await agree(next, "Read the plan")
    await sees(next, "This page does not know what became of it. Look in the wallet")
    assert.deepStrictEqual([await offers(next, SPONSOR), await offers(next, ANEW)], [0, 0])
  })

  it("stays known by the hash that one tab kept where the question of another one is declined then", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    let decline = () => {}
    const declined: Sending = () =>
      new Promise((_, reject) => {
        decline = () => reject(new Refused(4001, "User rejected the request."))
      })
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: declined })
    const { page } = await read(bench, { owner, plan, wallet })
    await send(page)
    await agree(page, "Read the plan")
    await vi.waitUntil(() => timesSent(wallet) === 1)
    const other = await besides(page, wallet)
    await press(other, "Ask me each time")
    await agree(other, "Read the plan")
    await sees(other, "The wallet was asked to send this step")
    wallet.send = told
    await send(other)
    await agree(other, "Read the plan")
    await sees(other, "The wallet sent this step's transaction")
    await until(
      () => keptTexts(page),
      texts => texts.includes(HASH)
    )
    decline()
    await sees(page, "You declined in the wallet")
    assert.deepStrictEqual(await keptTexts(page), [HASH])
  })
})

const quoted = async (owner: Party): Promise<Sponsorship> => {
  const { service } = bench.sandbox
  const prepared = await sponsorshipFor(service, owner, await planned(bench.sandbox, owner))
  await published(service, owner, prepared)
  return until(
    () => lookAnew(bench.sandbox, owner, prepared),
    ({ state }) => state === "funding_quote_available"
  )
}

const onItsPage = async (owner: Party, { id }: Sponsorship, wallet: Wallet): Promise<Page> => {
  const { page } = await seated(bench, { owner, path: `/console/sponsorships/${id}`, wallet })
  await agree(page, "Read the sponsorship")
  await agree(page, "Read the plan")
  return page
}

/** By a wallet that only sends. */
const paying = async (owner: Party, sponsorship: Sponsorship) => {
  const wallet = walletOf(bench, owner, { signsTransactions: false, send: told })
  const page = await onItsPage(owner, sponsorship, wallet)
  await press(page, PAY)
  await agree(page, "Prepare the payment")
  await agree(page, "Read the plan")
  await sees(page, "The plan is what it says")
  return { page, wallet }
}

describe("a payment for published requests", PATIENCE, () => {
  it("is not asked of the wallet where another plan pays for them by now", async () => {
    const owner = await payer(bench)
    const sponsorship = await quoted(owner)
    const { page, wallet } = await paying(owner, sponsorship)
    const path = `/api/v1/sponsorships/${sponsorship.id}/funding-plans`
    const elsewhere = await signedFetch(bench.sandbox.service, owner, "POST", path, {
      body: { chainId: 31_337, payer: owner.key.address },
      idempotencyKey: freshNonce()
    })
    assert.strictEqual(elsewhere.status, 201)
    await send(page)
    await agree(page, "Read the plan")
    await agree(page, "Read the sponsorship")
    await sees(page, "The sponsorship does not ask for this payment now")
    assert.strictEqual(timesSent(wallet), 0)
    assert.deepStrictEqual(await keptTexts(page), [])
  })

  it("is not offered again while the browser keeps what the wallet sent of a plan that is over", async () => {
    const owner = await payer(bench)
    const sponsorship = await quoted(owner)
    const { page, wallet } = await paying(owner, sponsorship)
    const planId = planOf(page)
    await send(page)
    await agree(page, "Read the plan")
    await agree(page, "Read the sponsorship")
    await sees(page, "The wallet sent this step's transaction")
    await sqlOn(
      bench.sandbox.service.databaseUrl,
      "UPDATE plans SET expires_at = unix_millis() - 1 WHERE id = $1",
      [planId]
    )
    await page.goto(
      new URL(`/console/sponsorships/${sponsorship.id}#account=${owner.accountId}`, page.url()).href
    )
    await press(page, "Ask me each time")
    await agree(page, "Read the sponsorship")
    await agree(page, "Read the plan")
    await sees(page, "The wallet was asked to pay for it, by")
    assert.strictEqual(await offers(page, PAY), 0)
    assert.strictEqual(timesSent(wallet), 1)
  })
})

describe("a plan from before the service was restored from a backup", PATIENCE, () => {
  it("offers no step that may have left, yet follows what the wallet did send", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner)
    const change = (shown: typeof plan) => ({ ...shown, status: "expired" as const, restoredAt: Date.now() })
    const { page } = await read(bench, { owner, plan, wallet, change })
    await sees(page, "It may have left before the service was restored from a backup")
    for (const offer of [PREPARE, ANEW, SPONSOR]) assert.strictEqual(await offers(page, offer), 0, offer)
    await press(page, "Paste the hash of what was sent")
    await sees(page, "A transaction signed elsewhere, or sent by the wallet")
  })
})
