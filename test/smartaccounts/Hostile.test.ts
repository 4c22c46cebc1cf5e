/** Every member of every body of the routes of smart accounts, replaced by what it must not be: refused with a whole problem, and nothing is stored. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { enroll } from "../support/Bots.ts"
import { payment } from "../support/PlannedCalls.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { freshNonce, newOwner, signedFetch } from "../support/SignedFetch.ts"
import { spoiltBodies } from "../support/SpoiltBodies.ts"
import { sqlOn } from "../support/Sql.ts"
import { bind, bound, challengeOf, prepareBinding, shown, unlink } from "./support/Bindings.ts"
import { manifest } from "./support/Inspections.ts"
import { startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet, type Wallet, walletOwners } from "./support/Wallets.ts"

const PREFIX = "/api/v1/smart-accounts"

let bench: WalletBench
let wallet: Wallet
let id: string
let salt = 70_000n

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })

beforeAll(async () => {
  bench = await startWalletBench()
  wallet = await createWallet(sandbox(), { saltNonce: ++salt })
  id = (await bound(bench, wallet)).id
})
afterAll(() => bench.stop())

/** Fits the members that are named here. */
const FITTING = {
  manifestId: ["__proto__", "-1", "1.5", "0x", "0x1", "0xzz", `0x${"0".repeat(39)}g`],
  signature: ["0x", `0x${"00".repeat(33)}`]
}

const spoilt = (body: Readonly<Record<string, unknown>>) => spoiltBodies(body, FITTING)

const rows = async (): Promise<unknown> =>
  sqlOn(
    bench.service.databaseUrl,
    "SELECT (SELECT count(*) FROM bindings) AS bindings, (SELECT count(*) FROM plans) AS plans, (SELECT count(*) FROM binding_nonces) AS nonces"
  )

const post = (path: string, body: unknown) =>
  signedFetch(bench.service, bench.owner, "POST", `${PREFIX}/${path}`, {
    rawBody: JSON.stringify(body),
    idempotencyKey: freshNonce()
  })

const refusesAll = async (path: string, body: Readonly<Record<string, unknown>>) => {
  const before = await rows()
  const passed: Array<string> = []
  for (const [what, given] of spoilt(body)) {
    const answer = await post(path, given)
    if (answer.ok) passed.push(what)
    else {
      const { status, code } = await problemIn(answer)
      if (status !== 400) passed.push(`${what}: ${status} ${code}`)
    }
  }
  assert.deepEqual(passed, [])
  assert.deepEqual(await rows(), before)
}

describe("a body with a member that is none", { timeout: 120_000 }, () => {
  it("creates no wallet", () =>
    refusesAll("creation-plans", {
      manifestId: manifest.id,
      owners: walletOwners.map(({ address }) => address),
      threshold: 2,
      saltNonce: "5"
    }))

  it("prepares no challenge", () => refusesAll("binding-challenges", challengeOf(wallet.address)))

  it("binds no wallet", async () => {
    const other = await createWallet(sandbox(), { saltNonce: ++salt })
    const { body } = await prepareBinding(bench, other)
    await refusesAll("bindings", body)
    assert.equal((await bind(bench, body)).status, 201)
  })

  it("plans nothing for a wallet", async () => {
    const path = `bindings/${id}/plans`
    await refusesAll(path, {
      operation: "contract_calls",
      input: { account: wallet.address, calls: [payment(bench, wallet.address)] }
    })
    const pay = {
      project: { chainId: 31_337, projectId: "2" },
      account: wallet.address,
      beneficiary: wallet.address,
      token: NATIVE_TOKEN,
      amount: "1000"
    }
    const before = await rows()
    for (const [what, input] of spoilt(pay)) {
      const { status } = await problemIn(await post(path, { operation: "prepare_pay", input }))
      assert.include([400, 422], status, what)
    }
    assert.deepEqual(await rows(), before)
  })

  it("of more calls than a plan has, or of none, plans nothing", async () => {
    for (const count of [0, 33, 10_000]) {
      const calls = Array.from({ length: count }, () => payment(bench, wallet.address))
      const answer = await post(`bindings/${id}/plans`, {
        operation: "contract_calls",
        input: { account: wallet.address, calls }
      })
      assert.include([400, 413], (await problemIn(answer)).status, String(count))
    }
  })

  it("of a megabyte is refused before it is read", async () => {
    const signature = `0x${"00".repeat(600_000)}`
    const { body } = await prepareBinding(bench, wallet)
    await assertProblem(await bind(bench, { ...body, signature }), "BODY_TOO_LARGE")
  })
})

describe("an id that is none of the account's bindings", () => {
  const OTHERS = [
    ["of a plan", "5f0c8a52-0b1c-4f0a-9f53-000000000001", "INVALID_PARAMETER"],
    ["in upper case", () => id.toUpperCase().replace("0X", "0x"), "INVALID_PARAMETER"],
    ["without 0x", () => id.slice(2), "INVALID_PARAMETER"],
    ["a byte long", () => `${id}00`, "INVALID_PARAMETER"],
    ["an address", () => wallet.address, "INVALID_PARAMETER"],
    ["nil", `0x${"00".repeat(32)}`, "BINDING_NOT_FOUND"],
    ["__proto__", "__proto__", "INVALID_PARAMETER"],
    ["any other", freshNonce(), "BINDING_NOT_FOUND"]
  ] as const

  it.each(OTHERS)("%s is not found", async (_, given, code) => {
    const other = typeof given === "string" ? given : given()
    await assertProblem(await shown(bench, other), code)
    await assertProblem(await unlink(bench, other), code)
    await assertProblem(
      await post(`bindings/${other}/plans`, {
        operation: "contract_calls",
        input: { account: wallet.address, calls: [payment(bench, wallet.address)] }
      }),
      code
    )
  })

  it("because it is another account's is answered like one that is none", async () => {
    const stranger = newOwner()
    await enroll(bench.service, stranger)
    const asked = await Promise.all([id, freshNonce()].map(each => shown(bench, each, stranger)))
    const problems = await Promise.all(asked.map(answer => problemIn(answer)))
    const [theirs, none] = problems.map(({ requestId: _, ...problem }) => problem)
    assert.deepEqual(theirs, none)
    assert.equal(theirs?.code, "BINDING_NOT_FOUND")
  })

  it("is refused where a page is asked for", async () => {
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=1e1",
      "limit=-1",
      "cursor=",
      "cursor=%00",
      `cursor=${"a".repeat(1025)}`,
      "more=1"
    ]) {
      const answer = await signedFetch(bench.service, bench.owner, "GET", `${PREFIX}/bindings?${query}`)
      assert.equal((await problemIn(answer)).status, 400, query)
    }
  })
})
