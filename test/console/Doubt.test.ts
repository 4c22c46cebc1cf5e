import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { shown, submitted } from "../support/Submissions.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { keptTexts, ownPlan, planOf, send, type Tab } from "./support/OwnPlan.ts"
import { offers, type PageBench, payer, read, startPageBench, walletOf } from "./support/PageBench.ts"
import { asAsked, batched, type Sending } from "./support/Sendings.ts"
import { agree, besides, press, Refused, reopened, sees, type Wallet } from "./support/WalletPage.ts"

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

describe("a browser that keeps nothing for the page", PATIENCE, () => {
  it("has the wallet asked for nothing, and no hash said to be kept", async () => {
    const { page, wallet } = await ownPlan(bench, { signsTransactions: false, tell: () => null })
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error("nothing is kept")
      }
    })
    await send(page)
    await sees(page, "This browser keeps nothing for this page")
    assert.strictEqual(times(wallet, "eth_sendTransaction"), 0)
    assert.strictEqual(await page.getByText("The wallet was asked to send this step").count(), 0)
    await press(page, "Paste a signed transaction")
    await page.getByLabel("the hash of a sent one").fill(`0x${"ab".repeat(32)}`)
    await press(page, "Check it")
    await sees(page, "Note the hash: this browser does not keep it.")
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

  it("stays known as asked where it sent the call within another one, which may take effect", async () => {
    const { page } = await ownPlan(bench, { signsTransactions: false, send: batched })
    await send(page)
    await sees(page, "What was sent is not the planned call")
    await sees(page, "only if it was not, prepare it again")
    assert.match((await keptTexts(page)).join(), /^asked /)
  })

  it("stays known as asked where that is found by another look alone", async () => {
    const { page, wallet } = await ownPlan(bench, {
      signsTransactions: false,
      send: batched,
      tell: () => ({})
    })
    await send(page)
    await sees(page, "The wallet's node does not prove what was sent")
    wallet.tell = told => told
    await press(page, "Have the service follow it")
    await sees(page, "What was sent is not the planned call")
    await sees(page, "only if it was not, prepare it again")
    assert.match((await keptTexts(page)).join(), /^asked /)
  })

  it("stays known as asked where a hash is pasted that is of something else", async () => {
    const { owner, page, wallet } = await ownPlan(bench, { signsTransactions: false, send: failing })
    const other = await asOther(owner)
    await send(page)
    await sees(page, "Look in the wallet whether it was sent")
    await press(page, "Paste a signed transaction")
    await page.getByLabel("the hash of a sent one").fill(other)
    await press(page, "Check it")
    await sees(page, "What was sent is not the planned call")
    assert.match((await keptTexts(page)).join(), /^asked /)
    const next = await reopened(page, wallet)
    await sees(next, "before the service followed it")
    await press(next, "Ask me each time")
    await agree(next, "Read the plan")
    await sees(next, "This page does not know what became of it. Look in the wallet")
  })
})

/** A transaction of the same wallet that no plan knows. */
const asOther = async ({ key }: Party): Promise<string> => {
  const { url } = bench.sandbox.chain
  const raw = await key.signTransaction({
    type: "eip1559",
    chainId: 31_337,
    nonce: Number(await rpc(url, "eth_getTransactionCount", [key.address, "pending"])),
    to: key.address,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n
  })
  return rpc(url, "eth_sendRawTransaction", [raw])
}

/** As far as the button that has the wallet send. */
const atTheButton = async (page: Page): Promise<void> => {
  await press(page, "Prepare the transaction")
  await press(page, "Sign in the wallet")
  await agree(page, "Sign the transaction")
  await sees(page, "This wallet signs no transaction without sending it.")
}

describe("two tabs on one plan", PATIENCE, () => {
  it("have it sent once, also where the other one had its button ready before", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page } = await read(bench, { owner, plan, wallet })
    const other = await besides(page, wallet)
    await press(other, "Ask me each time")
    await agree(other, "Read the plan")
    await atTheButton(other)
    await atTheButton(page)
    await press(page, "Send with the wallet")
    await agree(page, "Send the transaction")
    await agree(page, "Read the plan")
    await agree(page, "Submit step 0")
    await sees(page, "What became of it")
    assert.deepStrictEqual(await keptTexts(page), [])
    await press(other, "Send with the wallet")
    await sees(other, "The wallet sent this step's transaction")
    assert.strictEqual(times(wallet, "eth_sendTransaction"), 1)
    await press(other, "Have the service follow it")
    await agree(other, "Submit step 0")
    await sees(other, "What became of it")
  })

  it("tell of a wallet that was asked in the other one before they ask it again", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const hanging: Sending = () => new Promise(() => {})
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: hanging })
    const { page } = await read(bench, { owner, plan, wallet })
    const other = await besides(page, wallet)
    await press(other, "Ask me each time")
    await agree(other, "Read the plan")
    await atTheButton(other)
    await atTheButton(page)
    await press(page, "Send with the wallet")
    await agree(page, "Send the transaction")
    await agree(page, "Read the plan")
    await vi.waitUntil(() => times(wallet, "eth_sendTransaction") === 1)
    await press(other, "Send with the wallet")
    await sees(other, "The wallet was asked to send this step")
    assert.strictEqual(await offers(other, "Send with the wallet"), 0)
    assert.strictEqual(times(wallet, "eth_sendTransaction"), 1)
  })
})

describe("a step that left from another device after the page showed it", PATIENCE, () => {
  it("is not sent by the wallet as well", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page } = await read(bench, { owner, plan, wallet })
    await atTheButton(page)
    await press(page, "Send with the wallet")
    const raw = await signCall(bench.sandbox, owner, callOf(plan))
    await submitted(bench.sandbox.service, owner, plan, { rawSignedTransaction: raw })
    await agree(page, "Send the transaction")
    assert.match(await agree(page, "Read the plan"), /may have left meanwhile/)
    await sees(page, "The step is not as the page showed it: the wallet was asked for nothing")
    await sees(page, "The step has its transaction, and takes no other.")
    assert.strictEqual(times(wallet, "eth_sendTransaction"), 0)
    assert.deepStrictEqual(await keptTexts(page), [])
  })
})

describe("an answer that is lost after signed bytes were given", PATIENCE, () => {
  it("leaves nothing said of whether they were sent, and the same bytes go again", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { page } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await sees(page, "Nothing was sent yet.")
    await page.route(/\/submissions$/, async route => {
      await route.fetch()
      await route.abort()
    })
    await press(page, "Submit")
    await agree(page, "Submit step 0")
    await sees(page, "The service did not answer")
    assert.strictEqual(await page.getByText("Nothing was sent yet.").count(), 0)
    await sees(page, "they are sent once at most")
    await page.unroute(/\/submissions$/)
    await press(page, "Submit")
    await agree(page, "Submit step 0")
    await sees(page, "What became of it")
  })
})

describe("a page that is not of the plan whose tab was closed", PATIENCE, () => {
  it("offers no going on with it", async () => {
    const { page, wallet } = await ownPlan(bench, { signsTransactions: false, tell: () => null })
    await send(page)
    await sees(page, "The wallet sent this step's transaction")
    const next = await reopened(page, wallet)
    await sees(next, "before the service followed it")
    await next.goto(next.url().replace(/\/plans\/[^#]+/, "/plans"))
    await sees(next, "Stay signed in for an hour")
    await next.waitForLoadState("networkidle")
    assert.strictEqual(await offers(next, "Continue"), 0)
  })
})
