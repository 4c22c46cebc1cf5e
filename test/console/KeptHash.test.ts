/** The hash of what a wallet sent is kept until the service follows it, whatever else is declined, pasted or pressed. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { keptTexts, send } from "./support/OwnPlan.ts"
import { offers, type PageBench, payer, read, startPageBench, walletOf } from "./support/PageBench.ts"
import type { Sending } from "./support/Sendings.ts"
import { agree, press, Refused, reopened, sees, type Wallet } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench({ confirmations: 1 })
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const HASH = `0x${"ab".repeat(32)}`

/** Of a transaction that no node has. */
const told: Sending = async () => HASH

const failing: Sending = async () => {
  throw new Refused(-32_603, "Internal JSON-RPC error.")
}

const timesSent = ({ asked }: Wallet): number => asked.filter(each => each === "eth_sendTransaction").length

const readAgain = async (page: Page, wallet: Wallet): Promise<Page> => {
  const next = await reopened(page, wallet)
  await press(next, "Ask me each time")
  await agree(next, "Read the plan")
  return next
}

/** Sent and mined; the service does not follow it. */
const sentUnfollowed = async () => {
  const owner = await payer(bench)
  const plan = await planned(bench.sandbox, owner)
  const wallet = walletOf(bench, owner, { signsTransactions: false })
  const { page } = await read(bench, { owner, plan, wallet })
  await send(page)
  await agree(page, "Read the plan")
  await page.getByRole("dialog", { name: "Submit step 0" }).waitFor()
  await press(page, "Cancel")
  await mine(bench.sandbox)
  const [hash = ""] = await keptTexts(page)
  return { owner, plan, hash, page: await readAgain(page, wallet) }
}

const paste = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel("the hash of a sent one").fill(text)
  await press(page, "Check it")
}

const transactionsOf = async ({ key }: Party): Promise<number> =>
  Number(await rpc(bench.sandbox.chain.url, "eth_getTransactionCount", [key.address, "latest"]))

describe("what the wallet sent by a second question", PATIENCE, () => {
  it("stays known where the first one, which was open still, is declined then", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    let decline = () => {}
    const open: Sending = () =>
      new Promise((_, reject) => {
        decline = () => reject(new Refused(4001, "User rejected the request."))
      })
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: open })
    const { page } = await read(bench, { owner, plan, wallet })
    await page.evaluate(() => {
      const wallet = Reflect.get(window, "ethereum")
      const { request } = wallet
      const telling = (call: unknown) =>
        request(call).catch((failure: unknown) => {
          if (Object(failure).code === 4001) setTimeout(() => Reflect.set(window, "isDeclined", true))
          throw failure
        })
      Reflect.set(wallet, "request", telling)
    })
    await send(page)
    await agree(page, "Read the plan")
    await vi.waitUntil(() => timesSent(wallet) === 1)
    await page.locator("nav.console a", { hasText: "Plans" }).click()
    await page.goBack()
    await agree(page, "Read the plan")
    await sees(page, "This page does not know what became of it. Look in the wallet")
    await sees(page, "decline there what still waits")
    wallet.send = told
    await press(page, "Prepare the transaction")
    await press(page, "Send with the wallet")
    await agree(page, "Send the transaction")
    await agree(page, "Read the plan")
    await sees(page, "The wallet sent this step's transaction")
    decline()
    await page.waitForFunction(() => Reflect.get(window, "isDeclined") === true)
    assert.deepStrictEqual(await keptTexts(page), [HASH])
  })
})

describe("signed bytes that are pasted where the wallet was asked to send", PATIENCE, () => {
  it("are taken only where they are what it sent", async () => {
    const { owner, plan, hash, page } = await sentUnfollowed()
    const other = await signCall(bench.sandbox, owner, callOf(plan))
    await press(page, "Paste the hash of what was sent")
    await paste(page, other)
    await sees(page, "These are not the bytes that the wallet sent")
    assert.strictEqual(await offers(page, "Submit"), 0)
    assert.deepStrictEqual(await keptTexts(page), [hash])
    await paste(page, await rpc(bench.sandbox.chain.url, "eth_getRawTransactionByHash", [hash]))
    await sees(page, "Sent by the wallet, and exactly the planned call")
    await press(page, "Have the service follow it")
    await agree(page, "Submit step 0")
    await sees(page, "What became of it")
    assert.deepStrictEqual(await keptTexts(page), [])
    assert.strictEqual(await transactionsOf(owner), 1)
  })

  it("are not said to be all that there is while nobody knows whether it sent", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: failing })
    const { page } = await read(bench, { owner, plan, wallet })
    await send(page)
    await agree(page, "Read the plan")
    await sees(page, "Look in the wallet whether it was sent")
    await press(page, "Paste a signed transaction")
    await paste(page, await signCall(bench.sandbox, owner, callOf(plan)))
    await sees(page, "Signed, and exactly the planned call")
    await sees(page, "The wallet was asked to send this step before")
    assert.strictEqual(await page.getByText("Nothing was sent yet.").count(), 0)
  })
})

describe("the hash of an earlier transaction of the same call", PATIENCE, () => {
  it("is not taken for the step's, and is not kept", async () => {
    const owner = await payer(bench)
    const first = await planned(bench.sandbox, owner)
    const raw = await signCall(bench.sandbox, owner, callOf(first))
    const earlier = await rpc(bench.sandbox.chain.url, "eth_sendRawTransaction", [raw])
    await mine(bench.sandbox)
    const plan = await planned(bench.sandbox, owner)
    assert.strictEqual(callOf(plan).data, callOf(first).data)
    const { page } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await press(page, "Paste a signed transaction")
    await paste(page, earlier)
    await sees(page, "The transaction is older than the plan")
    assert.deepStrictEqual(await keptTexts(page), [])
    assert.strictEqual(await offers(page, "Prepare the transaction"), 1)
  })
})

describe("what the wallet sent and is to be forgotten", PATIENCE, () => {
  const FORGET = "It will never be mined: forget it"

  it("stays known where the wallet's node has it", async () => {
    const { hash, page } = await sentUnfollowed()
    await press(page, FORGET)
    await sees(page, "The wallet's node has this transaction")
    assert.deepStrictEqual(await keptTexts(page), [hash])
    assert.strictEqual(await offers(page, "Prepare the transaction"), 0)
  })

  it("is forgotten by a second press where the node does not", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: told })
    const { page } = await read(bench, { owner, plan, wallet })
    await send(page)
    await agree(page, "Read the plan")
    await sees(page, "The wallet sent this step's transaction")
    const next = await readAgain(page, wallet)
    await press(next, FORGET)
    await sees(next, "The wallet's node does not know it now")
    assert.deepStrictEqual(await keptTexts(next), [HASH])
    await press(next, "Forget it all the same")
    await next.getByRole("button", { name: "Prepare the transaction" }).waitFor()
    assert.deepStrictEqual(await keptTexts(next), [])
  })
})
