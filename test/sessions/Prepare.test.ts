/** What is compiled of a session's request, over HTTP and the real contracts. */

import { type Hex, keccak256, stringToBytes } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { compiledHashOf, permissionIdOf, policyHash } from "../../src/sessions/Compile.ts"
import { decodePolicy } from "../../src/sessions/Policy.ts"
import { manifest } from "../smartaccounts/support/Inspections.ts"
import { GUARD } from "../smartaccounts/support/Wallets.ts"
import { inSeconds, newBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { codeHashAt } from "./support/Guarded.ts"
import { PAYEE } from "./support/Policies.ts"
import {
  askSession,
  type Bound,
  boundWallet,
  CONTROLLER,
  DAY,
  enabled,
  paymentOf,
  preparedSession,
  readSession,
  reviewed,
  type SessionBench,
  sessionInput,
  startSessionBench,
  TERMINAL,
  TOKEN
} from "./support/SessionBench.ts"

let bench: SessionBench
let of: Bound

beforeAll(async () => {
  bench = await startSessionBench()
  of = await boundWallet(bench)
})
afterAll(() => bench.stop())

const trips = async (work: () => Promise<unknown>): Promise<number> => {
  const before = bench.proxy.roundTrips()
  await work()
  return bench.proxy.roundTrips() - before
}

describe("a prepared session", () => {
  it("is compiled to the policy that was asked for, upon what the guard says", async () => {
    const asked = await sessionInput(bench, of, { generation: "7" })
    const answer = await askSession(bench, asked)
    assert.equal(answer.status, 201)
    const session = await answer.json()
    assert.equal(answer.headers.get("location"), `/api/v1/smart-accounts/sessions/${session.id}`)
    const { compiled, ...told } = session
    const { policy } = compiled
    const guarded = { chainId: 31_337, guard: GUARD, account: of.wallet.address }
    assert.deepEqual(decodePolicy(compiled.encodedPolicy), policy)
    assert.equal(compiled.policyHash, policyHash(compiled.encodedPolicy))
    assert.equal(compiled.permissionId, permissionIdOf(guarded, policy))
    assert.equal(compiled.compiledHash, compiledHashOf(guarded, compiled.encodedPolicy))
    assert.deepInclude(compiled, { guard: GUARD, enableNonce: "0" })
    assert.deepEqual(compiled.baseline, { epoch: "0", history: `0x${"00".repeat(32)}` })
    assert.deepInclude(told, { ...asked, state: "prepared", revision: 0, superseded: [] })
    assert.deepInclude(told, {
      wallet: of.wallet.address,
      chainId: 31_337,
      sessionKey: bench.bot.key.address,
      validUntil: asked.validAfter + 7 * DAY,
      reservationReleased: false
    })
    assert.deepInclude(policy, {
      sessionKey: bench.bot.key.address,
      generation: "7",
      nonce: asked.nonce,
      validAfter: asked.validAfter,
      validUntil: told.validUntil,
      maximumCalls: 100
    })
    assert.deepEqual(policy.allocations, [
      { id: keccak256(stringToBytes("tips")), asset: TOKEN, limit: "100" },
      { id: keccak256(stringToBytes("ether")), asset: NATIVE_TOKEN, limit: "100" }
    ])
  })

  it("fixes every word of its actions but what it counts", async () => {
    const { compiled } = await preparedSession(bench, of, { generation: "8" })
    const word = (value: bigint | string): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`
    const equal = (...words: ReadonlyArray<readonly [number, bigint | string]>) =>
      words.map(([index, value]) => ({ condition: 0, offset: 32 * index, word: word(value) }))
    const counted = (index: number) => ({ condition: 1, offset: 32 * index, word: word(40n) })
    const limits = { perCall: "40", total: "100" }
    assert.deepEqual(compiled.policy.actions, [
      {
        target: TOKEN,
        codeHash: await codeHashAt(bench.sandbox, TOKEN),
        ...{ selector: "0xa9059cbb", valueMode: 0, allocation: 0, minimumLength: 68, maximumLength: 68 },
        ...limits,
        rules: [...equal([0, PAYEE]), counted(1)]
      },
      {
        target: TERMINAL,
        codeHash: await codeHashAt(bench.sandbox, TERMINAL),
        ...{ selector: "0xfef43257", valueMode: 1, allocation: 1, minimumLength: 292, maximumLength: 292 },
        ...limits,
        rules: [
          ...equal([0, 2n], [1, NATIVE_TOKEN]),
          counted(2),
          ...equal([3, PAYEE], [4, 0n], [5, 224n], [6, 256n], [7, 0n], [8, 0n])
        ]
      },
      {
        target: CONTROLLER,
        codeHash: await codeHashAt(bench.sandbox, CONTROLLER),
        ...{
          selector: "0x702a3977",
          valueMode: 0,
          allocation: 255,
          minimumLength: 100,
          maximumLength: 2_148
        },
        ...{ perCall: "0", total: "0" },
        rules: equal([0, 2n], [1, 64n])
      }
    ])
  })

  it("is what the guard takes", async () => {
    const own = await boundWallet(bench)
    const session = await preparedSession(bench, own)
    await enabled(bench, own, session)
    const answer = await readSession(bench, `/${session.id}`)
    assert.equal((await answer.json()).state, "active")
  })

  it("takes two round trips", async () => {
    await preparedSession(bench, of, { generation: "9" })
    assert.isAtMost(await trips(() => preparedSession(bench, of, { generation: "10" })), 3)
  })

  it("is answered again to the same key without a chain, and to another request never", async () => {
    const body = await sessionInput(bench, of, { generation: "11" })
    const idempotencyKey = freshNonce()
    const first = await askSession(bench, body, bench.owner, { idempotencyKey })
    const session = await first.json()
    assert.equal(first.status, 201, JSON.stringify(session))
    const before = bench.proxy.roundTrips()
    const again = await askSession(bench, body, bench.owner, { idempotencyKey })
    assert.equal(again.headers.get("idempotent-replayed"), "true")
    assert.deepEqual(await again.json(), session)
    assert.equal(bench.proxy.roundTrips(), before)
    const other = await askSession(bench, { ...body, maximumCalls: 99 }, bench.owner, { idempotencyKey })
    await assertProblem(other, "IDEMPOTENCY_CONFLICT")
    await assertProblem(
      await askSession(bench, body, bench.owner, { idempotencyKey: "" }),
      "IDEMPOTENCY_REQUIRED"
    )
  })

  it("may be a bot's, of its own grant", async () => {
    const body = await sessionInput(bench, of, { generation: "12" })
    const answer = await askSession(bench, body, bench.bot)
    assert.equal(answer.status, 201, JSON.stringify(await answer.clone().json()))
    const other = await newBot(bench.service, bench.owner, {
      scopes: ["read", "plan", "relay"],
      expiresAt: inSeconds(40 * DAY)
    })
    await assertProblem(await askSession(bench, body, other), "GRANT_NOT_FOUND")
    const reader = await newBot(bench.service, bench.owner, { expiresAt: inSeconds(40 * DAY) })
    await assertProblem(await askSession(bench, body, reader), "FORBIDDEN")
  })
})

describe("names of sessions", () => {
  it("are used once, of a wallet and of a key", async () => {
    const own = await boundWallet(bench)
    const first = await preparedSession(bench, own)
    const again = (over: Readonly<Record<string, unknown>>) =>
      sessionInput(bench, own, over).then(body => askSession(bench, body))
    await assertProblem(await again({}), "SESSION_CONFLICT")
    await assertProblem(await again({ generation: "2", nonce: first.nonce }), "SESSION_CONFLICT")
    const { grantId } = await newBot(bench.service, bench.owner, {
      scopes: ["read", "plan", "relay"],
      expiresAt: inSeconds(40 * DAY)
    })
    assert.equal((await again({ grantId })).status, 201)
    assert.equal((await again({ generation: "2" })).status, 201)
  })

  it("go to one of several who ask at once", async () => {
    const own = await boundWallet(bench)
    const body = await sessionInput(bench, own)
    const answers = await Promise.all(Array.from({ length: 5 }, () => askSession(bench, body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  })
})

describe("a review", () => {
  it("says what the session would allow, and stores nothing", async () => {
    const own = await boundWallet(bench)
    const body = await sessionInput(bench, own)
    const answer = await reviewed(bench, body)
    const review = await answer.json()
    assert.equal(answer.status, 200, JSON.stringify(review))
    assert.deepInclude(review, {
      status: "reviewable-not-activated",
      manifestRevision: manifest.revision,
      warnings: [],
      ownerApproval: { required: true, signer: "wallet-owner-threshold", action: "enable-exact-policy" }
    })
    assert.isAtLeast(review.words.length, 6)
    assert.match(review.words.join(" "), /0\.0000/)
    const listed = await (await readSession(bench, `?bindingId=${own.bindingId}`)).json()
    assert.deepEqual(listed.items, [])
    const session = await (await askSession(bench, body)).json()
    assert.deepEqual(session.compiled, review.compiled)
  })

  it("compiles nothing without a gas budget, and says nothing of gas", async () => {
    const { gasBudget: _, ...body } = await sessionInput(bench, of, { generation: "99" })
    const review = await (await reviewed(bench, body)).json()
    assert.notProperty(review, "compiled")
    assert.notProperty(review.policy, "gas")
    assert.notMatch(review.words.join(" "), /gwei|paymaster/)
    assert.match(review.warnings[0], /gas budget/)
  })

  it("warns of an allowance that payments need", async () => {
    const actions = [paymentOf({ allocationId: "tips" })]
    const body = await sessionInput(bench, of, { generation: "98", actions })
    const { warnings } = await (await reviewed(bench, body)).json()
    assert.match(warnings[0], /allowance/)
  })
})
