import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { newBot } from "../support/Bots.ts"
import { planned, stepOf } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import type { Party } from "../support/SignedFetch.ts"
import { refreshed, shown } from "../support/Submissions.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { offers, opened, type PageBench, payer, read, startPageBench, walletOf } from "./support/PageBench.ts"
import {
  asAsked,
  asBundle,
  asLegacy,
  batched,
  delegated,
  fromElsewhere,
  type Sending,
  withSuffix,
  withValue
} from "./support/Sendings.ts"
import { agree, announceLate, press, Refused, reopened, sees, type Wallet } from "./support/WalletPage.ts"

const NO_HASH = "nothing was sent"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

interface Sent {
  readonly owner: Party
  readonly plan: Plan
  readonly wallet: Wallet
  readonly page: Page
  readonly hash: () => string
}

/** Up to the wallet's answer: asked to sign, it says that it cannot, and is asked to send. */
const sending = async (send: Sending, over: Partial<Wallet> = {}): Promise<Sent> => {
  const owner = await payer(bench)
  const plan = await planned(bench.sandbox, owner)
  let hash = NO_HASH
  const kept: Sending = async (...asked) => {
    hash = await send(...asked)
    return hash
  }
  const wallet = walletOf(bench, owner, { signsTransactions: false, send: kept, ...over })
  const { page } = await read(bench, { owner, plan, wallet })
  await press(page, "Prepare the transaction")
  await press(page, "Sign in the wallet")
  await agree(page, "Sign the transaction")
  await sees(page, "This wallet signs no transaction without sending it.")
  await press(page, "Send with the wallet")
  assert.match(await agree(page, "Send the transaction"), /no signed bytes can be looked at/)
  await agree(page, "Read the plan")
  return { owner, plan, wallet, page, hash: () => hash }
}

const confirmed = async ({ owner, plan, hash }: Omit<Sent, "page">): Promise<void> => {
  await mine(bench.sandbox)
  const after = await refreshed(bench.sandbox.service, owner, plan)
  assert.strictEqual(after.status, "transactions_confirmed")
  const { transaction, dispatch, semantic } = stepOf(after)
  assert.strictEqual(transaction?.hash, hash())
  assert.strictEqual(dispatch?.status, "already-observed")
  assert.strictEqual(semantic?.status, "verified")
}

const again = async (page: Page): Promise<void> => {
  await press(page, "Ask me each time")
  await agree(page, "Read the plan")
}

describe("a wallet that only sends", PATIENCE, () => {
  for (const [form, send] of [
    ["an EIP-1559", asAsked],
    ["a legacy", asLegacy]
  ] as const)
    it(`sends exactly the planned call as ${form} transaction, which the service then follows`, async () => {
      const sent = await sending(send)
      assert.match(await agree(sent.page, "Submit step 0"), /already sent\s*by the wallet itself/)
      await sees(sent.page, "What became of it")
      assert.strictEqual(await sent.page.evaluate(() => localStorage.length), 0)
      await confirmed(sent)
    })

  it("is followed through its own node without a question, where the person is asked each time", async () => {
    const sent = await sending(asAsked)
    await agree(sent.page, "Submit step 0")
    await sees(sent.page, /1 of 2 confirmations so far, says the wallet's node\./)
    await mine(bench.sandbox)
    await sees(sent.page, /2 of 2 confirmations, says the wallet's node\./)
    await sees(sent.page, "The service is asked with your signature: look at the chain again.")
    const asked = sent.wallet.asked.filter(method => method === "eth_signTypedData_v4")
    assert.strictEqual(asked.length, 3)
  })

  it("is followed from the pool on, before any block has it", async () => {
    const { chain } = bench.sandbox
    await rpc(chain.url, "evm_setAutomine", [false])
    const sent = await sending(asAsked).finally(() => rpc(chain.url, "evm_setAutomine", [true]))
    await agree(sent.page, "Submit step 0")
    await sees(sent.page, "What became of it")
    await confirmed(sent)
  })

  it.each([4001, 5000])(
    "sends nothing when its person declines with %i, and may be asked again",
    async code => {
      const declining: Sending = () => Promise.reject(new Refused(code, "User rejected the request."))
      const { page, wallet } = await sending(declining)
      await sees(page, "You declined in the wallet")
      await sees(page, "Nothing was sent.")
      wallet.send = asAsked
      await press(page, "Send with the wallet")
      await agree(page, "Send the transaction")
      await agree(page, "Read the plan")
      await agree(page, "Submit step 0")
      await sees(page, "What became of it")
    }
  )

  it("sends a bot's plan too, and the bot records it", async () => {
    const owner = await payer(bench)
    const bot = await newBot(bench.sandbox.service, owner, { scopes: ["read", "plan", "relay"] })
    const plan = await planned(bench.sandbox, owner, { by: bot })
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page } = await read(bench, { owner, plan, wallet, principal: `bot:${bot.grantId}` })
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await press(page, "Send with the wallet")
    await agree(page, "Send the transaction")
    await agree(page, "Read the plan")
    await sees(page, new RegExp(`service plan record ${plan.id} 0 0x[0-9a-f]{64}`))
  })
})

describe("a tab that is killed", PATIENCE, () => {
  it("after the wallet told the hash, finds it again when it is opened again", async () => {
    const sent = await sending(asAsked, { tell: () => null })
    const { page, wallet, hash } = sent
    await sees(page, "The wallet sent this step's transaction")
    wallet.tell = told => told
    const next = await reopened(page, wallet)
    await again(next)
    await sees(next, hash())
    assert.strictEqual(await offers(next, "Prepare the transaction"), 0)
    await press(next, "Have the service follow it")
    await agree(next, "Submit step 0")
    await sees(next, "What became of it")
    await confirmed(sent)
  })

  it("before the wallet told the hash, warns before a second sending and takes the hash pasted", async () => {
    const hanging: Sending = async (...asked) => {
      told = await asAsked(...asked)
      return new Promise(() => {})
    }
    let told = NO_HASH
    const sent = await sending(hanging)
    await vi.waitUntil(() => told !== NO_HASH)
    const next = await reopened(sent.page, sent.wallet)
    await again(next)
    await sees(next, "This page does not know what became of it. Look in the wallet")
    await press(next, "Paste a signed transaction")
    await next.getByLabel("the hash of a sent one").fill(told)
    await press(next, "Check it")
    await agree(next, "Submit step 0")
    await sees(next, "What became of it")
    await confirmed({ ...sent, hash: () => told })
  })
})

describe("a wallet that sends something else", PATIENCE, () => {
  const WAYS: ReadonlyArray<readonly [string, Sending, string]> = [
    ["changes the call", withValue(1001n), "its value is not the planned one"],
    ["batches it", batched, "it wraps the planned call: if it succeeded, do not send it again"],
    ["appends to it", withSuffix("c0ffee"), "it has bytes behind the planned call"],
    ["delegates the account", delegated, "it delegates the account to a contract (EIP-7702, type 4)"],
    [
      "makes it in another envelope",
      delegated,
      "it makes the planned call: if it succeeded, do not send it again"
    ],
    ["sends it from elsewhere", fromElsewhere, "its sender is not the planned one"]
  ]
  for (const [way, send, words] of WAYS)
    it(`is told what differs where it ${way}, and nothing is bound`, async () => {
      const { owner, plan, page } = await sending(send)
      await sees(page, "What was sent is not the planned call")
      await sees(page, words)
      await sees(page, "Nothing was bound to the plan")
      assert.notProperty(stepOf(await shown(bench.sandbox.service, owner, plan)), "transaction")
    })

  it("is told so where it answers with the id of a batch", async () => {
    const { owner, plan, page } = await sending(asBundle)
    await sees(page, "The wallet told no transaction hash")
    assert.notProperty(stepOf(await shown(bench.sandbox.service, owner, plan)), "transaction")
  })

  it("is not believed where its node tells another transaction than it sent", async () => {
    const tell = (told: unknown) => ({ ...Object(told), value: "0x3e8" })
    const { owner, plan, page } = await sending(withValue(1001n), { tell })
    await sees(page, "does not lead to bytes of this hash")
    assert.notProperty(stepOf(await shown(bench.sandbox.service, owner, plan)), "transaction")
  })
})

describe("a wallet that announces itself late", PATIENCE, () => {
  it("is offered once it does", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { announced: ["Slow wallet"], isLate: true })
    const { page } = await opened(bench, { owner, plan, wallet })
    await sees(page, "There is no wallet in this browser")
    await announceLate(page)
    await again(page)
    await sees(page, "The plan is what it says")
  })
})
