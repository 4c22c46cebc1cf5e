import type { Page } from "playwright-core"
import { setSignEntropy } from "viem/accounts"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { shown } from "../support/Submissions.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { keptTexts, ownPlan, planOf, prompts, send, type Tab } from "./support/OwnPlan.ts"
import { offers, type PageBench, payer, startPageBench } from "./support/PageBench.ts"
import { agree, press, reopened, sees, type Wallet } from "./support/WalletPage.ts"

/** Nothing beside key and message: the default, which has no other name. */
const NO_ENTROPY = "0x"
const ENTROPY = `0x${"01".repeat(32)}` as const

const HASH = /^0x[0-9a-f]{64}$/
const WITH_KEY = /^0x[0-9a-f]{64} 0x[0-9a-f]{64} [0-9a-f-]{36} 0x[0-9a-f]{40} [0-9]+$/

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

/** All that this process signs takes part in it. */
afterEach(() => setSignEntropy(NO_ENTROPY))

/** The wallet told the hash, and nothing was handed in: its node tells nothing of it yet. */
const sentAlone = async (): Promise<Tab> => {
  const tab = await ownPlan(bench, { signsTransactions: false, tell: () => null })
  await send(tab.page)
  await sees(tab.page, "The wallet sent this step's transaction")
  const [kept = "", ...others] = await keptTexts(tab.page)
  assert.match(kept, WITH_KEY)
  assert.deepStrictEqual(others, [])
  return tab
}

/** Closed then, and opened again once the wallet's node knows of it. */
const killed = async (over: Partial<Wallet> = {}): Promise<Tab> => {
  const { owner, wallet, page } = await sentAlone()
  const next = { ...wallet, tell: (told: unknown) => told, asked: [], ...over }
  return { owner, wallet: next, page: await reopened(page, next) }
}

const isFinal = async ({ owner, page }: Tab): Promise<void> => {
  await sees(page, /Seen by the chain in block/)
  await mine(bench.sandbox)
  await sees(page, "Effects verified")
  assert.deepStrictEqual(await keptTexts(page), [])
  const step = stepOf(await shown(bench.sandbox.service, owner, { id: planOf(page) }))
  assert.strictEqual(step.dispatch?.status, "already-observed")
  assert.strictEqual(step.semantic?.status, "verified")
}

/** Without its key, what was sent is followed all the same, and not sent again. */
const followedByNode = async ({ owner, page }: Tab): Promise<void> => {
  await press(page, "Ask me each time")
  await agree(page, "Read the plan")
  await sees(page, /Seen by the wallet's node in block/)
  assert.strictEqual(await offers(page, "Prepare the transaction"), 0)
  await mine(bench.sandbox)
  await sees(page, "2 of 2 confirmations, says the wallet's node.")
  const plan = await shown(bench.sandbox.service, owner, { id: planOf(page) })
  assert.notProperty(stepOf(plan), "transaction")
}

const alter = (page: Page, pattern: string, by: string): Promise<void> =>
  page.evaluate(
    ([old = "", text = ""]) => {
      for (const [name, kept] of Object.entries({ ...localStorage }))
        localStorage.setItem(name, String(kept).replace(new RegExp(old), text))
    },
    [pattern, by]
  )

describe("a tab that is killed after the wallet sent", PATIENCE, () => {
  it("goes on with one signature of the wallet, has its bytes bound, and sees them final", async () => {
    const tab = await killed()
    await press(tab.page, "Continue")
    const asked = await agree(tab.page, "Make the key of this tab")
    assert.include(asked, `one browser tab at ${bench.sandbox.service.audience}/console`)
    assert.include(asked, "if any other site asks you for this signature, decline")
    await sees(tab.page, /^Signed in until/)
    await isFinal(tab)
    assert.deepStrictEqual(prompts(tab.wallet), ["eth_requestAccounts", "eth_signTypedData_v4"])
  })

  it("goes on from the plan's page too, where the wallet was asked to read it", async () => {
    const tab = await killed()
    await press(tab.page, "Ask me each time")
    await agree(tab.page, "Read the plan")
    await press(tab.page, "Continue")
    await agree(tab.page, "Make the key of this tab")
    await isFinal(tab)
  })

  it("goes on before the wallet told the hash, which is pasted then", async () => {
    let told = ""
    const { owner, wallet, page } = await ownPlan(bench, { signsTransactions: false })
    const { send: sendNow } = wallet
    wallet.send = async (...asked) => {
      told = await sendNow(...asked)
      return new Promise(() => {})
    }
    await send(page)
    await vi.waitUntil(() => told !== "")
    const next = await reopened(page, wallet)
    await press(next, "Continue")
    await agree(next, "Make the key of this tab")
    await sees(next, "This page does not know what became of it. Look in the wallet")
    await press(next, "Paste a signed transaction")
    await next.getByLabel("the hash of a sent one").fill(told)
    await press(next, "Check it")
    await isFinal({ owner, wallet, page: next })
  })

  it("has nothing to go on with where the wallet only signed: nothing was sent", async () => {
    const { wallet, page } = await ownPlan(bench)
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await sees(page, "Nothing was sent yet.")
    assert.deepStrictEqual(await keptTexts(page), [])
    const next = await reopened(page, wallet)
    await sees(next, "Stay signed in for an hour")
    assert.strictEqual(await offers(next, "Continue"), 0)
  })
})

describe("the key of a killed tab", PATIENCE, () => {
  it("is not made by a wallet that signs differently each time; what was sent is followed all the same", async () => {
    const tab = await killed()
    setSignEntropy(ENTROPY)
    await press(tab.page, "Continue")
    await agree(tab.page, "Make the key of this tab")
    await sees(tab.page, "This is not the key that the tab had")
    await sees(tab.page, "signs the same message differently each time")
    await followedByNode(tab)
    await press(tab.page, "Have the service follow it")
    await sees(tab.page, "Then the key that prepared the plan is gone")
  })

  it("is not made by another salt than the kept one", async () => {
    const tab = await killed()
    await alter(tab.page, " 0x[0-9a-f]{8}", " 0x00000000")
    await tab.page.reload()
    await press(tab.page, "Continue")
    await agree(tab.page, "Make the key of this tab")
    await sees(tab.page, "or what this browser kept was changed")
    await followedByNode(tab)
  })

  it("is not asked of another account", async () => {
    const { key } = await payer(bench)
    const tab = await killed({ key })
    await press(tab.page, "Continue")
    await sees(tab.page, "The wallet's account is not the one that this page is about")
    assert.notInclude(tab.wallet.asked, "eth_signTypedData_v4")
    assert.match((await keptTexts(tab.page))[0] ?? "", WITH_KEY)
  })
})

describe("what is kept of a tab's key", PATIENCE, () => {
  it("goes with signing out, and what was sent stays known", async () => {
    const { page, wallet } = await ownPlan(bench, { signsTransactions: false })
    const { chainId, send: sendNow } = wallet
    wallet.send = async (...asked) => {
      wallet.chainId = 1
      return sendNow(...asked)
    }
    await send(page)
    await sees(page, "The wallet is on another chain")
    wallet.chainId = chainId
    assert.match((await keptTexts(page)).join(), WITH_KEY)
    await press(page, "Sign out")
    await agree(page, "Revoke a grant")
    await sees(page, "Signed out: the grant of this tab is revoked.")
    assert.match((await keptTexts(page)).join(), HASH)
    const next = await reopened(page, wallet)
    await sees(next, "Stay signed in for an hour")
    assert.strictEqual(await offers(next, "Continue"), 0)
  })

  it("goes with the grant, when a page sees that it has ended by itself", async () => {
    const { page } = await killed()
    await sees(page, "before the service followed it")
    await alter(page, "[0-9]+$", "1700000000")
    await page.reload()
    await sees(page, "Stay signed in for an hour")
    assert.strictEqual(await offers(page, "Continue"), 0)
    await press(page, "Ask me each time")
    await agree(page, "Read the plan")
    await vi.waitUntil(async () => HASH.test((await keptTexts(page)).join()))
    assert.strictEqual(await offers(page, "Continue"), 0)
  })

  it("stays where the device's clock is ahead, and is of use once the service tells its own", async () => {
    const tab = await killed()
    await tab.page.addInitScript(() => {
      const { now } = Date
      Date.now = () => now() + 7_200_000
    })
    await tab.page.reload()
    await sees(tab.page, "Stay signed in for an hour")
    assert.match((await keptTexts(tab.page)).join(), WITH_KEY)
    await press(tab.page, "Ask me each time")
    await agree(tab.page, "Read the plan")
    await press(tab.page, "Continue")
    await agree(tab.page, "Make the key of this tab")
    await isFinal(tab)
  })

  it("goes with the grant, when the service says that it was revoked", async () => {
    const tab = await killed()
    const { service } = bench.sandbox
    const { bots } = await (await signedFetch(service, tab.owner, "GET", "/api/v1/accounts/me/bots")).json()
    await signedFetch(service, tab.owner, "DELETE", `/api/v1/accounts/me/bots/${bots[0].id}`)
    await press(tab.page, "Continue")
    await agree(tab.page, "Make the key of this tab")
    await sees(tab.page, "The rights of the key have ended")
    assert.match((await keptTexts(tab.page)).join(), HASH)
    await followedByNode(tab)
  })
})
