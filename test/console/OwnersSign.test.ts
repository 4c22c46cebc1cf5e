/** Owners sign what a bot prepared, with whichever account of their wallets is an owner, and nothing that has ended. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { newBot } from "../support/Bots.ts"
import type { Party } from "../support/SignedFetch.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  type OperatingBench,
  partyOf,
  preparedOperation,
  sendOperation,
  startOperatingBench,
  walletPlan
} from "../useroperations/support/Operating.ts"
import { BROWSER_MILLIS, type Browsing, startBrowser } from "./support/Chromium.ts"
import { offers } from "./support/PageBench.ts"
import { agree, copiedBy, keptBy, newWallet, openPage, press, sees } from "./support/WalletPage.ts"

let bench: OperatingBench
let browser: Browsing

beforeAll(async () => {
  browser = await startBrowser()
  bench = await startOperatingBench({ recovers: true })
}, BROWSER_MILLIS)

afterAll(async () => {
  await browser?.close()
  await bench?.stop()
})

const opened = async (owner: Party, path: string): Promise<Page> => {
  const { page } = await openPage(browser, newWallet(owner.key, bench.chain.url))
  await page.goto(`${bench.service.audience}${path}`)
  return page
}

const readOn = async (
  page: Page,
  { owner }: BoundTestWallet,
  { id }: { readonly id: string },
  questions: ReadonlyArray<string>
): Promise<Page> => {
  await page.goto(`${bench.service.audience}/console/operations/${id}#account=${owner.accountId}`)
  await press(page, "Ask me each time")
  for (const question of questions) await agree(page, question)
  return page
}

const operationPage = async (
  bound: BoundTestWallet,
  operation: { readonly id: string },
  questions: ReadonlyArray<string>
): Promise<Page> => readOn(await opened(bound.owner, "/docs"), bound, operation, questions)

const OWN = ["Read the operation", "Read the plan", "Read the kinds of wallets"]

const SIGNATURES = /[0-9a-f]{130}/g
const TIMES = "0x".length + 24

describe("an operation that a bot prepared", { timeout: 240_000 }, () => {
  it("is finished by the bot with the signatures that its page gives", async () => {
    const bound = await boundWallet(bench)
    const bot = await newBot(bench.service, bound.owner, { scopes: ["read", "plan", "relay"] })
    const operation = await preparedOperation(bench.service, bot, await walletPlan(bench, bound, { by: bot }))
    const page = await operationPage(bound, operation, [
      "Read the operation",
      "Read the plan",
      "List the bots",
      "Read the kinds of wallets"
    ])
    await sees(page, "A bot prepared it, so the bot sends it")
    const envelope = await envelopeOf(operation, bound.owners)
    const signatures = envelope.slice(TIMES).match(SIGNATURES) ?? []
    const text = signatures.map(each => `0x${each}`).join(" ")
    await page.getByLabel("Signatures that other owners sent").fill(text)
    await press(page, "Add them")
    assert.strictEqual(await copiedBy(page, "Copy the signatures"), envelope)
    const [name, kept] = await keptBy(page, "Keep them as a file")
    assert.strictEqual(name, `signatures-${operation.id}.json`)
    assert.sameMembers(JSON.parse(kept).signatures, text.split(" "))
    assert.strictEqual((await sendOperation(bench.service, bot, operation, envelope)).status, 202)
  })
})

describe("an operation that has ended", { timeout: 240_000 }, () => {
  it("asks no owner to sign it", async () => {
    const bound = await boundWallet(bench)
    const operation = await preparedOperation(bench.service, bound.owner, await walletPlan(bench, bound))
    const page = await opened(bound.owner, "/docs")
    await page.route(`**/api/v1/user-operations/${operation.id}`, async route => {
      const response = await route.fetch()
      const nextAction = { kind: "none", reason: "it may have been sent" }
      await route.fulfill({ response, json: { ...(await response.json()), nextAction } })
    })
    await readOn(page, bound, operation, OWN)
    await sees(page, "Nothing is sent from here: it may have been sent.")
    await sees(page, "0 of 2 signatures")
    assert.strictEqual(await offers(page, "Sign with your wallet"), 0)
    assert.strictEqual(await offers(page, "Copy a link for another owner"), 0)
  })
})

/** How the wallet in the page answers instead. */
const answering = (page: Page, method: string, answer: object): Promise<void> =>
  page.evaluate(
    ([asked, told]) => {
      const wallet = Reflect.get(window, "ethereum")
      const { request } = wallet
      const other = async (call: { readonly method: string }) => {
        if (call.method !== asked) return request(call)
        if (Array.isArray(told)) return told
        throw told
      }
      Reflect.set(wallet, "request", other)
    },
    [method, answer] as const
  )

describe("an owner who was sent a link", { timeout: 240_000 }, () => {
  it("has the signature go back by a link, by itself or as a file", async () => {
    const bound = await boundWallet(bench)
    const operation = await preparedOperation(bench.service, bound.owner, await walletPlan(bench, bound))
    const asking = await operationPage(bound, operation, OWN)
    const link = await copiedBy(asking, "Copy a link for another owner")
    const [name, request] = await keptBy(asking, "Keep it as a file")
    const other = partyOf(bound.owners[1] ?? assert.fail("no second owner"))
    const page = await opened(other, link.slice(new URL(link).origin.length))
    await sees(page, "It is what it says")
    await press(page, "Connect your wallet")
    await press(page, "Sign with your wallet")
    await agree(page, "Sign for the wallet")
    const signature = await page.getByLabel("Your signature").inputValue()
    assert.match(name, /^to-sign-0x[0-9a-f]{64}\.json$/)
    assert.strictEqual(JSON.parse(request).typedData.message.safe, bound.wallet.address)
    assert.strictEqual(await copiedBy(page, "Copy the signature"), signature)
    assert.include(await copiedBy(page, "Copy a link that brings it back"), signature)
    const [answer, text] = await keptBy(page, "Keep it as a file")
    assert.strictEqual(answer, `signature-${other.key.address}.json`)
    assert.strictEqual(JSON.parse(text).signature, signature)
  })

  it("signs with the account that is an owner, once the wallet shows it, and is told why it does not turn to a chain", async () => {
    const bound = await boundWallet(bench)
    const operation = await preparedOperation(bench.service, bound.owner, await walletPlan(bench, bound))
    const asking = await operationPage(bound, operation, OWN)
    const shown = asking.getByLabel("Link for another owner")
    const link = new URL(await vi.waitUntil(() => shown.inputValue()))
    const other = partyOf(bound.owners[1] ?? assert.fail("no second owner"))
    const page = await opened(other, link.href.slice(link.origin.length))
    await sees(page, "It is what it says")
    const stranger = "0x00000000000000000000000000000000000000b0"
    await answering(page, "eth_requestAccounts", [stranger])
    await press(page, "Connect your wallet")
    await sees(page, "is no owner of this wallet")
    await answering(page, "eth_requestAccounts", [stranger, other.key.address])
    await press(page, "Connect again")
    await sees(page, /an owner of the wallet, as its chain says\./)
    await page.reload()
    await sees(page, "It is what it says")
    await page.evaluate(() => {
      const wallet = Reflect.get(window, "ethereum")
      const { request } = wallet
      const elsewhere = (call: { readonly method: string }) =>
        call.method === "eth_chainId" ? Promise.resolve("0x1") : request(call)
      Reflect.set(wallet, "request", elsewhere)
    })
    await answering(page, "wallet_switchEthereumChain", { code: 4902, message: "Unrecognized chain" })
    await press(page, "Connect your wallet")
    await page.getByRole("button", { name: /^Switch the wallet to chain/ }).click()
    await sees(page, "Add the chain to the wallet, then try again.")
  })
})
