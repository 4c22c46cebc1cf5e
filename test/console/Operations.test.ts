import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { rpc } from "../support/Rpc.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { carriedByAnybody } from "../useroperations/support/Carried.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  type OperatingBench,
  partyOf,
  preparedOperation,
  startOperatingBench,
  walletPlan
} from "../useroperations/support/Operating.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS, type Browsing, startBrowser } from "./support/Chromium.ts"
import { enter, offers } from "./support/PageBench.ts"
import { agree, newWallet, openPage, press, sees } from "./support/WalletPage.ts"

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

const opened = async (owner: Party, path: string) => {
  const wallet = newWallet(owner.key, bench.chain.url)
  const found = await openPage(browser, wallet)
  await found.page.goto(`${bench.service.audience}${path}`)
  return { ...found, wallet }
}

const second = ({ owners: [, other] }: BoundTestWallet): Party =>
  partyOf(other ?? assert.fail("no second owner"))

/** In another browser, without an account. */
const signedElsewhere = async (owner: Party, link: string): Promise<string> => {
  const { page, faults } = await opened(owner, link.slice(new URL(link).origin.length))
  await sees(page, "It is what it says")
  await sees(page, /^The wallet .* will pay .* to project 2/)
  assert.deepStrictEqual(await violations(page), [])
  await press(page, "Connect your wallet")
  await sees(page, /an owner of the wallet, as its chain says\./)
  await press(page, "Sign with your wallet")
  await agree(page, "Sign for the wallet")
  const signature = await page.getByLabel("Your signature").inputValue()
  assert.deepStrictEqual(faults, [])
  await page.close()
  return signature
}

/** How often the bundler was given an operation. */
const sends = (): number =>
  bench.bundling.records.filter(({ method }) => method === "eth_sendUserOperation").length

const signHere = async (page: Page): Promise<void> => {
  await press(page, "Sign with your wallet")
  await agree(page, "Sign for the wallet")
  await sees(page, "1 of 2 signatures")
}

describe("an operation of a wallet of several owners", { timeout: 240_000 }, () => {
  it("is planned, prepared, signed by two owners in two browsers, sent once, and becomes final without a click", async () => {
    const bound = await boundWallet(bench)
    const { owner, wallet, binding } = bound
    const { page, faults } = await opened(
      owner,
      `/console/do/prepare_pay?wallet=${binding.id}#account=${owner.accountId}`
    )
    await enter(page)
    const chosen = page.getByLabel("For which wallet")
    await chosen.waitFor()
    assert.strictEqual(await chosen.inputValue(), binding.id)
    assert.deepStrictEqual(await violations(page), [])
    await page.getByLabel("Project number").fill("2")
    await page.getByLabel("Amount, in ether").fill("0.000001")
    await press(page, "Prepare the plan")
    await sees(page, "The plan is what it says")
    await sees(page, "It is the plan of a wallet of several owners")
    assert.strictEqual(await offers(page, "Prepare the transaction"), 0)
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Prepare the operation")
    await sees(page, "The operation is what it says")
    await sees(page, wallet.address)
    await signHere(page)
    assert.deepStrictEqual(await violations(page), [])
    const link = await page.getByLabel("Link for another owner").inputValue()
    const signature = await signedElsewhere(second(bound), link)
    await page.getByLabel("Signatures that other owners sent").fill(signature)
    await press(page, "Add them")
    await press(page, "Send the operation")
    await sees(page, /^Seen by the chain in block [0-9]+\.$/)
    await rpc(bench.chain.url, "anvil_mine", ["0x2"])
    await sees(page, /^Effects verified/)
    await sees(page, /^The wallet .* paid .* to project 2/)
    await sees(page, /^Its gas cost .* ETH, paid by the wallet\.$/)
    assert.strictEqual(sends(), 1)
    assert.deepStrictEqual(await violations(page), [])
    assert.deepStrictEqual(faults, [])
  })

  it("is not done again by another plan of the same calls where it was executed, though not sent from here", async () => {
    const bound = await boundWallet(bench)
    const { owner, owners } = bound
    const plan = await walletPlan(bench, bound)
    const operation = await preparedOperation(bench.service, owner, plan)
    await carriedByAnybody(bench, { owner, operation, signature: await envelopeOf(operation, owners) })
    await sqlOn(
      bench.service.databaseUrl,
      "UPDATE user_operations SET expires_at = unix_millis() WHERE id = $1",
      [operation.id]
    )
    const { page, faults } = await opened(owner, `/console/plans/${plan.id}#account=${owner.accountId}`)
    await enter(page)
    await agree(page, "Read the plan")
    await press(page, "Prepare the same calls anew")
    await agree(page, "List the operations")
    await agree(page, "Read the operation")
    await sees(page, "An operation of this plan may do these calls")
    await sees(page, /its record says: it was executed, though not known to be sent from here/)
    assert.include(page.url(), plan.id)
    assert.deepStrictEqual(await violations(page), [])
    assert.deepStrictEqual(faults, [])
  })

  it("shows danger and offers nothing where the service tells of another call than the one that is signed", async () => {
    const bound = await boundWallet(bench)
    const { owner } = bound
    const plan = await walletPlan(bench, bound)
    const prepared = await preparedOperation(bench.service, owner, plan)
    const { page, wallet } = await opened(owner, "/docs")
    await page.route(`**/api/v1/user-operations/${prepared.id}`, async route => {
      const response = await route.fetch()
      const honest: PublicUserOperation = await response.json()
      const callData = `${honest.operation.callData.slice(0, -2)}ff`
      await route.fulfill({ response, json: { ...honest, operation: { ...honest.operation, callData } } })
    })
    await page.goto(`${bench.service.audience}/console/operations/${prepared.id}#account=${owner.accountId}`)
    await press(page, "Ask me each time")
    for (const question of ["Read the operation", "Read the plan", "Read the kinds of wallets"])
      await agree(page, question)
    await sees(page, "Danger: sign and send nothing of it")
    assert.strictEqual(await offers(page, "Sign with your wallet"), 0)
    assert.strictEqual(wallet.asked.filter(method => method === "eth_signTypedData_v4").length, 3)
  })
})
