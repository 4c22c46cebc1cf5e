import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { shown } from "../support/Submissions.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { ownPlan, planAnew, planOf, prompts, send, type Tab } from "./support/OwnPlan.ts"
import {
  enter,
  offers,
  opening,
  type PageBench,
  payer,
  signedIn,
  startPageBench,
  walletOf
} from "./support/PageBench.ts"
import { agree, press, sees, switchAccounts, type Wallet } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

describe("somebody who stays signed in", PATIENCE, () => {
  it("is asked once for a payment by a wallet that only sends, and sees it final without a click", async () => {
    const { owner, wallet, page } = await planAnew(bench, { signsTransactions: false })
    await send(page)
    await sees(page, /Seen by the chain in block/)
    await mine(bench.sandbox)
    await sees(page, /Confirmed: \d+ of \d+ confirmation/)
    await sees(page, "Effects ")
    assert.deepStrictEqual(prompts(wallet), ["eth_signTransaction", "eth_sendTransaction"])
    assert.strictEqual(await page.evaluate(() => localStorage.length + sessionStorage.length), 0)
    const plan = await shown(bench.sandbox.service, owner, { id: planOf(page) })
    assert.strictEqual(plan.status, "transactions_confirmed")
    assert.strictEqual(stepOf(plan).dispatch?.status, "already-observed")
  })

  it("pays from the form to the final state with that one prompt after signing in", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page, fetched } = await signedIn(bench, { owner, path: "/console/do/prepare_pay", wallet })
    wallet.asked.length = 0
    await page.getByLabel("Project number").fill("2")
    await page.getByLabel("Amount, in ether").fill("0.000001")
    await press(page, "Prepare the plan")
    await sees(page, "The plan is what it says")
    await send(page)
    await sees(page, /Seen by the chain in block/)
    await mine(bench.sandbox)
    await sees(page, "Effects verified: the chain did what the plan says.")
    assert.deepStrictEqual(prompts(wallet), ["eth_signTransaction", "eth_sendTransaction"])
    const origins = new Set(fetched.map(url => new URL(url).origin))
    assert.deepStrictEqual([...origins], [bench.sandbox.service.audience])
  })

  it("signs the transaction and its approval with a wallet that signs, and nothing else", async () => {
    const { wallet, page } = await ownPlan(bench)
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await press(page, "Submit")
    await agree(page, "Approve step 0 for the bot")
    await sees(page, /Seen by the chain in block/)
    await mine(bench.sandbox)
    await sees(page, /Confirmed: \d+ of \d+ confirmation/)
    assert.deepStrictEqual(prompts(wallet), ["eth_signTransaction", "eth_signTypedData_v4"])
  })
})

describe("a look that fails while a plan is followed", PATIENCE, () => {
  it("is told and made again, by itself, and moves no focus", async () => {
    const { page } = await ownPlan(bench, { signsTransactions: false })
    let isDown = true
    await page.route(/\/api\/v1\/plans\/[^/]+\?refresh=true$/, route =>
      isDown ? route.abort() : route.continue()
    )
    await send(page)
    await sees(page, /^The service did not answer\. Looking again in \d+ s\.$/)
    await page.getByText("Every row of this call").focus()
    await mine(bench.sandbox)
    isDown = false
    await sees(page, /Confirmed: /)
    assert.strictEqual(
      await page.evaluate(() => document.activeElement?.textContent),
      "Every row of this call"
    )
  })
})

const grants = async (owner: Party): Promise<ReadonlyArray<{ id: string; state: string; label: string }>> => {
  const answer = await signedFetch(bench.sandbox.service, owner, "GET", "/api/v1/accounts/me/bots")
  return (await answer.json()).bots
}

const states = async (owner: Party): Promise<ReadonlyArray<string>> =>
  (await grants(owner)).map(({ label, state }) => `${label} ${state}`)

const home = async (over: Partial<Wallet> = {}): Promise<Tab> => {
  const owner = await payer(bench)
  const wallet = walletOf(bench, owner, over)
  const { page } = await signedIn(bench, { owner, path: "/console", wallet })
  return { owner, wallet, page }
}

describe("the end of staying signed in", PATIENCE, () => {
  it("is the owner's revocation of the grant", async () => {
    const { owner, page } = await home()
    assert.deepStrictEqual(await states(owner), ["console active"])
    await press(page, "Sign out")
    await agree(page, "Revoke a grant")
    await sees(page, "Signed out: the grant of this tab is revoked.")
    assert.deepStrictEqual(await states(owner), ["console revoked"])
    assert.strictEqual(await offers(page, "Stay signed in for an hour"), 1)
  })

  it("has the tab forget its key at once while the page is doing something, and the grant revoked then", async () => {
    const { owner, page } = await home()
    let goOn = () => {}
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    await page.route(/\/api\/v1\/plans/, async route => {
      await held
      await route.continue()
    })
    await page.getByRole("link", { name: "Plans" }).first().click()
    await sees(page, /^Reading/)
    await press(page, "Sign out")
    await sees(page, /this tab forgot its key\./)
    assert.strictEqual(await offers(page, "Sign out"), 0)
    await sees(page, /^Reading [^.]*… Then: Signing out…$/)
    goOn()
    await agree(page, "Revoke a grant")
    await sees(page, "Signed out: the grant of this tab is revoked.")
    assert.deepStrictEqual(await states(owner), ["console revoked"])
  })

  it("forgets the key where the person declines, and says when the grant ends by itself", async () => {
    const { owner, page } = await home()
    await press(page, "Sign out")
    await page.getByRole("dialog", { name: "Revoke a grant" }).waitFor()
    await page.keyboard.press("Escape")
    await sees(page, /this tab forgot its key\. The grant was not revoked and ends by itself at/)
    assert.deepStrictEqual(await states(owner), ["console active"])
  })

  it("is told where the grant was revoked elsewhere, loses nothing on the page, and may begin anew", async () => {
    const { owner, wallet, page } = await home()
    await page.getByRole("link", { name: "Profile" }).first().click()
    await page.getByLabel("Name").fill("Ada")
    const [grant] = await grants(owner)
    const path = `/api/v1/accounts/me/bots/${grant?.id}`
    assert.strictEqual((await signedFetch(bench.sandbox.service, owner, "DELETE", path)).status, 200)
    await page.getByRole("link", { name: "Plans" }).first().click()
    await sees(page, "You are no longer signed in: the grant of this tab ended or was revoked.")
    await page.goBack()
    await enter(page)
    assert.deepStrictEqual((await states(owner)).toSorted(), ["console active", "console revoked"])
    assert.strictEqual(prompts(wallet).filter(method => method === "eth_signTypedData_v4").length, 4)
  })

  it("is no refusal of another kind, such as that of an approval that came late", async () => {
    const { page } = await home()
    const code = "OWNER_APPROVAL_EXPIRED"
    const told = {
      type: "about:blank",
      title: code,
      status: 403,
      detail: code,
      code,
      requestId: "1",
      retryable: false
    }
    await page.route(/\/api\/v1\/plans\?/, route =>
      route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify(told) })
    )
    await page.getByRole("link", { name: "Plans" }).first().click()
    await sees(page, `The service refused: ${code}`)
    await sees(page, /^Signed in until/)
    assert.strictEqual(await offers(page, "Stay signed in for an hour"), 0)
  })

  it("comes by itself after the hour", async () => {
    const { page } = await home()
    await page.clock.install()
    await press(page, "Sign out")
    await page.getByRole("dialog", { name: "Revoke a grant" }).waitFor()
    await page.keyboard.press("Escape")
    await enter(page)
    await page.clock.fastForward(3_700_000)
    await sees(page, "You are no longer signed in: the grant of this tab ended or was revoked.")
  })

  it("comes with another account in the wallet", async () => {
    const { page } = await home()
    await switchAccounts(page, ["0x00000000000000000000000000000000000000bb"])
    await sees(page, "Connect the owner's wallet")
    assert.strictEqual(await offers(page, "Sign out"), 0)
  })
})

describe("an account that the service does not know", PATIENCE, () => {
  it("is enrolled with one click, and then signed in with the key that it made already", async () => {
    const owner = newOwner()
    const wallet = walletOf(bench, owner)
    const { page } = await opening(bench, { owner, path: "/console", wallet })
    await press(page, "Stay signed in for an hour")
    await agree(page, "Make the key of this tab")
    await agree(page, "Grant a key rights on the account")
    await sees(page, "The service does not know this account yet")
    await press(page, "Enroll the account")
    await agree(page, "Enroll the account")
    await agree(page, "Grant a key rights on the account")
    await sees(page, /^Signed in until/)
    assert.deepStrictEqual(await states(owner), ["console active"])
    assert.strictEqual(wallet.asked.filter(method => method === "eth_signTypedData_v4").length, 4)
  })
})
