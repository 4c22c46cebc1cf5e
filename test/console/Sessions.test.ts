import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { decodePolicy, encodePolicy } from "../../src/sessions/Policy.ts"
import type { SessionReview } from "../../src/sessions/Session.ts"
import { type SessionGiven, sessionForWeek, walletWithBot } from "../sessions/support/LifecycleBench.ts"
import { type LiveSession, liveSession, shownSession, used } from "../sessions/support/Operated.ts"
import { ownersDo } from "../smartaccounts/support/Inspections.ts"
import { builtPackage } from "../support/BuiltProgram.ts"
import { mine } from "../support/RelayBench.ts"
import type { Party } from "../support/SignedFetch.ts"
import { until } from "../support/Until.ts"
import {
  type OperatingBench,
  shownOperation,
  startOperatingBench
} from "../useroperations/support/Operating.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS, type Browsing, startBrowser } from "./support/Chromium.ts"
import { agreeByKey, keepsFocus, reach, tabTo } from "./support/Keyboard.ts"
import { enter, offers } from "./support/PageBench.ts"
import { agree, copiedBy, newWallet, openPage, press, sees } from "./support/WalletPage.ts"

let bench: OperatingBench
let browser: Browsing

beforeAll(async () => {
  await builtPackage()
  browser = await startBrowser()
  bench = await startOperatingBench({ recovers: true })
}, BROWSER_MILLIS)

afterAll(async () => {
  await browser?.close()
  await bench?.stop()
})

const opened = async (owner: Party, path: string) => {
  const found = await openPage(browser, newWallet(owner.key, bench.chain.url))
  await found.page.goto(`${bench.service.audience}${path}#account=${owner.accountId}`)
  return found
}

/** Of a session that pays project 2, ready to be reviewed. */
const filled = async (page: Page): Promise<void> => {
  await agree(page, "List the bots")
  await page.getByLabel("Project number of right 1").fill("2")
}

const reviewed = async (page: Page): Promise<void> => {
  await press(page, "Review it")
  await agree(page, "Review what a session would allow")
}

const prepared = async ({ owner, binding }: SessionGiven) => {
  const found = await opened(owner, `/console/sessions/new?wallet=${binding.id}`)
  const { page } = found
  await enter(page)
  await filled(page)
  assert.deepStrictEqual(await violations(page), [])
  await reviewed(page)
  await sees(page, "The bytes say what you asked for")
  await sees(
    page,
    /^It may pay project 2 through the terminal .* at most 0\.01 ETH a call and 0\.1 ETH in all/
  )
  assert.deepStrictEqual(await violations(page), [])
  await press(page, "Prepare the session")
  await agree(page, "Prepare a session")
  await agree(page, "Read the kinds of wallets")
  await sees(page, "The session is what it says")
  return found
}

const idAt = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

/** By both owners on the page of its operation, until it is confirmed. */
const carriedOut = async (page: Page, { owner, owners: [, second] }: SessionGiven): Promise<void> => {
  await agree(page, "Read the plan")
  await sees(page, "The plan is what it says")
  await press(page, "Prepare the operation")
  await agree(page, "Prepare an operation of the wallet")
  for (const question of ["Read the operation", "Read the plan"]) await agree(page, question)
  await sees(page, "The operation is what it says")
  await press(page, "Sign with your wallet")
  await agree(page, "Sign for the wallet")
  const operation = await shownOperation(bench.service, owner, { id: idAt(page) })
  const signature = await second?.sign({ hash: operation.signing.digest })
  await page.getByLabel("Signatures that other owners sent").fill(signature ?? "")
  await press(page, "Add them")
  await press(page, "Send the operation")
  await agree(page, "Send the operation")
  await until(
    async () => {
      await mine(bench, 1)
      return shownOperation(bench.service, owner, operation)
    },
    ({ state }) => state === "confirmed"
  )
}

const backAt = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "The session" }).click()
  await agree(page, "Read the session")
  await sees(page, "The session is what it says")
}

describe("a session of a wallet", { timeout: 300_000 }, () => {
  it("is reviewed from its bytes, prepared, enabled by the owners' operation, and revoked by another", async () => {
    const given = await walletWithBot(bench)
    const { page, faults, fetched } = await prepared(given)
    await sees(page, "to be enabled")
    assert.strictEqual(await offers(page, "Revoke it…"), 0)
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Prepare the plan that enables it")
    await agree(page, "Prepare the plan that enables the session")
    await agree(page, "Read the kinds of wallets")
    await carriedOut(page, given)
    await press(page, "Look again")
    await agree(page, "Read the operation")
    await sees(page, /^The wallet .* let the key .* act for it within a policy/)
    await backAt(page)
    await sees(page, "Its key acts for the wallet within what is said below, without the owners.")
    await sees(page, "What is left of it")
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Revoke it…")
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Prepare the revocation")
    await agree(page, "Prepare the plan that revokes the session")
    await carriedOut(page, given)
    await backAt(page)
    await sees(page, /^Its guard has it no more, for good\./)
    await sees(page, "What its key could do")
    assert.strictEqual(await page.getByText(/, ends /).count(), 0)
    assert.strictEqual(await offers(page, "Revoke it…"), 0)
    assert.deepStrictEqual([...new Set(fetched.map(url => new URL(url).origin))], [bench.service.audience])
    assert.deepStrictEqual(faults, [])
  })

  it("is listed, and ended by the transaction that is copied, without the service", async () => {
    const live = await liveSession(bench)
    const { page, faults } = await opened(live.owner, "/console/sessions")
    await enter(page)
    await press(page, "List the sessions")
    await agree(page, "List the sessions")
    assert.deepStrictEqual(await violations(page), [])
    await page.getByRole("link", { name: `The key ${live.bot.key.address}` }).click()
    await agree(page, "Read the session")
    await agree(page, "List the bots")
    await sees(page, "The session is what it says")
    const copied = JSON.parse(await copiedBy(page, "Copy the transaction"))
    assert.deepStrictEqual(copied, live.session.revokeTransaction)
    await ownersDo(bench.sandbox, live.wallet, copied.data, live.owners, copied.to)
    await press(page, "Look again")
    await agree(page, "Read the session")
    await sees(page, /^Its guard has it no more, for good\./)
    assert.deepStrictEqual(faults, [])
  })
})

const bars = async (page: Page) =>
  Promise.all(
    (await page.locator(".counter").all()).map(async counter => [
      await counter.locator("p").first().textContent(),
      await counter.locator("p").last().textContent(),
      await counter.locator("meter").getAttribute("value")
    ])
  )

describe("the counters of a session", { timeout: 240_000 }, () => {
  it("are bars of what was used, of the limit and of what is left", async () => {
    const live: LiveSession = await liveSession(bench)
    await used(bench, live)
    const { page, faults } = await opened(live.owner, `/console/sessions/${live.session.id}`)
    await enter(page)
    await agree(page, "Read the session")
    await agree(page, "List the bots")
    await sees(page, "What is left of it")
    const { observation, maximumCalls } = await shownSession(bench, live.owner, live.session)
    const [calls, ...others] = await bars(page)
    const thousandths = String(Math.floor(1000 / maximumCalls))
    assert.deepStrictEqual(calls, [
      "Calls",
      `1 used of ${maximumCalls}; ${maximumCalls - 1} left`,
      thousandths
    ])
    assert.strictEqual(others.length, (observation?.counters.length ?? 0) - 1)
    const operation = await used(bench, live)
    await press(page, "Read what is left")
    await agree(page, "Read what is left of the session")
    await sees(page, `${maximumCalls - 2} left`)
    await page.goto(
      `${bench.service.audience}/console/operations/${operation.id}#account=${live.owner.accountId}`
    )
    await press(page, "Ask me each time")
    for (const question of ["Read the operation", "Read the plan", "List the bots", "Read the session"])
      await agree(page, question)
    await agree(page, "Read the kinds of wallets")
    await sees(page, "The operation is what it says")
    await page.getByRole("link", { name: "The session" }).waitFor()
    assert.strictEqual(await offers(page, "Sign with your wallet"), 0)
    assert.deepStrictEqual(faults, [])
  })
})

describe("a service that compiles something else", { timeout: 180_000 }, () => {
  it("is found out by the bytes at the review, and nothing is prepared", async () => {
    const { owner, binding } = await walletWithBot(bench)
    const { page } = await opened(owner, "/docs")
    await page.route("**/api/v1/smart-accounts/session-reviews", async route => {
      const response = await route.fetch()
      const honest: SessionReview = await response.json()
      const { compiled } = honest
      const policy = compiled && decodePolicy(compiled.encodedPolicy)
      const encodedPolicy = policy && encodePolicy({ ...policy, maximumCalls: 20_000 })
      await route.fulfill({ response, json: { ...honest, compiled: { ...compiled, encodedPolicy } } })
    })
    await page.goto(
      `${bench.service.audience}/console/sessions/new?wallet=${binding.id}#account=${owner.accountId}`
    )
    await enter(page)
    await filled(page)
    await reviewed(page)
    await sees(page, "Danger: the bytes say something else than you asked for")
    await sees(page, "The number of calls: 20 was asked for, and the bytes say 20000.")
    await sees(page, /by at most 20,000 calls, one at a time\.$/)
    assert.strictEqual(await offers(page, "Prepare the session"), 0)
    assert.deepStrictEqual(await violations(page), [])
  })

  it("is found out by the session's own bytes, and nothing of it is enabled", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { page } = await opened(given.owner, "/docs")
    await page.route(`**/api/v1/smart-accounts/sessions/${session.id}`, async route => {
      const response = await route.fetch()
      const policy = decodePolicy(session.compiled.encodedPolicy) ?? assert.fail("no policy")
      const [action = assert.fail("no right")] = policy.actions
      const actions = [{ ...action, total: "1000" }]
      const compiled = { ...session.compiled, encodedPolicy: encodePolicy({ ...policy, actions }) }
      await route.fulfill({ response, json: { ...(await response.json()), compiled } })
    })
    await page.goto(
      `${bench.service.audience}/console/sessions/${session.id}#account=${given.owner.accountId}`
    )
    await enter(page)
    await agree(page, "Read the session")
    await agree(page, "List the bots")
    await sees(page, "Danger: enable nothing of it")
    await sees(page, "Right 1: the most in all: 100 was asked for, and the bytes say 1000.")
    assert.strictEqual(await offers(page, "Prepare the plan that enables it"), 0)
  })
})

describe("the editor of a session", { timeout: 240_000 }, () => {
  it("works by the keyboard alone, leads to what is wrong, and loses no focus", async () => {
    const { owner, binding } = await walletWithBot(bench)
    const { page, faults } = await opened(owner, `/console/sessions/new?wallet=${binding.id}`)
    await tabTo(page, /^Stay signed in for an hour$/)
    await agreeByKey(page, "Make the key of this tab")
    await agreeByKey(page, "Grant a key rights on the account")
    await agreeByKey(page, "List the bots")
    await reach(page, /^Project number of right 1$/)
    await tabTo(page, /^Review it$/)
    await sees(page, "A whole number.")
    const focused = await page.evaluate(() => document.activeElement?.id)
    assert.strictEqual(focused, "right-0-project")
    await page.keyboard.type("2")
    await tabTo(page, /^Add the right$/)
    await keepsFocus(page, "adding a right")
    await page.locator("#right-0-project").focus()
    await tabTo(page, /^Remove right 2$/)
    await keepsFocus(page, "removing a right")
    await page.locator("#calls").focus()
    await tabTo(page, /^Review it$/)
    await agreeByKey(page, "Review what a session would allow")
    await sees(page, "The bytes say what you asked for")
    await keepsFocus(page, "the review")
    await tabTo(page, /^Prepare the session$/)
    await agreeByKey(page, "Prepare a session")
    await agreeByKey(page, "Read the kinds of wallets")
    await sees(page, "The session is what it says")
    await keepsFocus(page, "the preparation")
    await tabTo(page, /^Prepare the plan that enables it$/)
    await agreeByKey(page, "Prepare the plan that enables the session")
    await agreeByKey(page, "Read the kinds of wallets")
    await agreeByKey(page, "Read the plan")
    await sees(page, "The plan is what it says")
    assert.deepStrictEqual(faults, [])
  })
})
