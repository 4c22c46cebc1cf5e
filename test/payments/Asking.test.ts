/** Who may have which payments reviewed, and which passkeys decide them, on the real contracts. */
import { type Address, erc20Abi } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { enroll, newBot } from "../support/Bots.ts"
import { payment } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { freshNonce, newOwner } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { sendOperation, shownOperation } from "../useroperations/support/Operating.ts"
import { approve, decide } from "./support/Deciding.ts"
import { dollarsBy } from "./support/Dollars.ts"
import { newPasskey } from "./support/Passkeys.ts"
import {
  appBot,
  askReview,
  boundPilotWallet,
  newState,
  operationBy,
  pilotWallet,
  registerPasskey,
  reviewed,
  shownReview,
  startPilotBench
} from "./support/PilotBench.ts"

const bench = await startPilotBench()
const { service } = bench
const pilot = await pilotWallet(bench, 0)
const bot = await appBot(bench, pilot)

afterAll(() => bench.stop())

const MILLIS = { timeout: 120_000 }

const opened = async () => {
  const operation = await operationBy(bench, pilot, bot)
  return { operation, review: await reviewed(bench, bot, operation.id) }
}

/** The address of the precompile for P-256. */
const VERIFIER = 0x100

describe("an operation", () => {
  const refusedFor = async (reason: string, answer: Response) =>
    assert.deepStrictEqual((await assertProblem(answer, "PAYMENT_UNSUITABLE")).context, { reason })

  const calls = (args: ReadonlyArray<string>) => [payment(bench, pilot.wallet.address, { args })]

  it("that is no plain payment is not reviewed", MILLIS, async () => {
    const { address } = pilot.wallet
    const plain = calls(["2", NATIVE_TOKEN, "1000", address, "0", "", "0x"])
    const cases = [
      ["metadata", calls(["2", NATIVE_TOKEN, "1000", address, "0", "", "0x1234"])],
      ["memo", calls(["2", NATIVE_TOKEN, "1000", address, "0", "a\u0000", "0x"])],
      ["memo", calls(["2", NATIVE_TOKEN, "1000", address, "0", "\u0001".repeat(12_000), "0x"])],
      ["approval", [...plain, ...plain]]
    ] as const
    for (const [reason, given] of cases) {
      const operation = await operationBy(bench, pilot, bot, given)
      await refusedFor(reason, await askReview(bench, bot, operation.id))
    }
  })

  it("of a wallet without a known passkey is not reviewed", MILLIS, async () => {
    const lone = await boundPilotWallet(bench, 5)
    const app = await appBot(bench, lone)
    const operation = await operationBy(bench, lone, app)
    await refusedFor("credential", await askReview(bench, app, operation.id))
  })

  it("that was sent or has run out is not reviewed", MILLIS, async () => {
    const operation = await operationBy(bench, pilot, bot)
    await sqlOn(service.databaseUrl, "UPDATE user_operations SET expires_at = unix_millis() WHERE id = $1", [
      operation.id
    ])
    await refusedFor("expired", await askReview(bench, bot, operation.id))
  })
})

describe("a review", () => {
  it("lives for five minutes at most, and no longer than its operation", MILLIS, async () => {
    const { review } = await opened()
    assert.isAtMost(review.expiresAt - review.createdAt, 300_000)
    assert.isAtMost(review.expiresAt, review.signing.validUntil * 1000)
  })

  it("is one for an operation, by its key again and by no other", MILLIS, async () => {
    const operation = await operationBy(bench, pilot, bot)
    const options = { idempotencyKey: freshNonce(), state: newState() }
    const [one, two] = await Promise.all([
      askReview(bench, bot, operation.id, options),
      askReview(bench, bot, operation.id, options)
    ])
    const [first, second] = [await one.json(), await two.json()]
    assert.deepStrictEqual([one.status, two.status, first.id], [201, 201, second.id])
    const again = await askReview(bench, bot, operation.id, options)
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    await assertProblem(
      await askReview(bench, bot, operation.id, { ...options, state: newState() }),
      "IDEMPOTENCY_CONFLICT"
    )
    const other = await assertProblem(await askReview(bench, bot, operation.id), "PAYMENT_UNSUITABLE")
    assert.deepStrictEqual(other.context, { reason: "reviewed" })
  })
})

describe("who asks", () => {
  it("is the bot of a known app, and of its own operation", MILLIS, async () => {
    const { operation, review } = await opened()
    await assertProblem(await askReview(bench, pilot.owner, operation.id), "WALLET_APP_REQUIRED")
    await assertProblem(await shownReview(bench, pilot.owner, review.id), "WALLET_APP_REQUIRED")
    const unknown = await newBot(service, pilot.owner, { scopes: ["read", "plan", "relay"] })
    await assertProblem(await askReview(bench, unknown, operation.id), "WALLET_APP_REQUIRED")
    await assertProblem(await shownReview(bench, unknown, review.id), "WALLET_APP_REQUIRED")
    const otherApp = await appBot(bench, pilot, 1)
    await assertProblem(await askReview(bench, otherApp, operation.id), "USER_OPERATION_NOT_FOUND")
    await assertProblem(await shownReview(bench, otherApp, review.id), "PAYMENT_REVIEW_NOT_FOUND")
  })

  it("sees nothing of another account's review, as if there were none", MILLIS, async () => {
    const { review } = await opened()
    const lone = await boundPilotWallet(bench, 6)
    const app = await appBot(bench, lone)
    const [foreign, absent] = await Promise.all([
      shownReview(bench, app, review.id),
      shownReview(bench, app, "00000000-0000-4000-8000-000000000000")
    ])
    const told = [
      await assertProblem(foreign, "PAYMENT_REVIEW_NOT_FOUND"),
      await assertProblem(absent, "PAYMENT_REVIEW_NOT_FOUND")
    ]
    const [one, other] = told.map(({ requestId: _, ...rest }) => rest)
    assert.deepStrictEqual(one, other)
  })
})

describe("a passkey", () => {
  const unsuitable = async (reason: string, answer: Response) =>
    assert.deepStrictEqual((await assertProblem(answer, "PAYMENT_UNSUITABLE")).context, { reason })

  it("is kept where the contract tells the very key", MILLIS, async () => {
    const lone = await boundPilotWallet(bench, 7)
    const { x, y } = newPasskey()
    await unsuitable("key", await registerPasskey(bench, lone, { publicKey: { x, y } }))
    await unsuitable("key", await registerPasskey(bench, lone, { publicKey: { x: lone.passkey.x, y } }))
    const answer = await registerPasskey(bench, lone)
    assert.strictEqual(answer.headers.get("location"), `/api/v1/smart-accounts/bindings/${lone.binding.id}`)
    const { createdAt, ...kept } = await answer.json()
    assert.isNumber(createdAt)
    assert.deepStrictEqual(kept, {
      bindingId: lone.binding.id,
      wallet: { chainId: 31_337, address: lone.wallet.address },
      owner: lone.passkeyOwner,
      credentialId: lone.passkey.credentialId,
      publicKey: { x: lone.passkey.x, y: lone.passkey.y },
      rpId: "localhost"
    })
    assert.strictEqual((await (await registerPasskey(bench, lone)).json()).createdAt, createdAt)
  })

  it(
    "is not kept on a chain that cannot check what it signs, and nothing is reviewed there",
    MILLIS,
    async () => {
      const lone = await boundPilotWallet(bench, 8)
      const ofVerifier = ({ method, params: [asked] }: Question) =>
        method === "eth_call" && Number(Object(asked).to) === VERIFIER
      bench.proxy.fault({
        method: "eth_call",
        phase: "after",
        within: calls => calls.some(ofVerifier),
        act: { kind: "rewrite", rewrite: asked => (ofVerifier(asked) ? "0x" : undefined) }
      })
      await unsuitable("verifier", await registerPasskey(bench, lone))
      const lonesBot = await appBot(bench, lone)
      const operation = await operationBy(bench, lone, lonesBot)
      await unsuitable("credential", await askReview(bench, lonesBot, operation.id))
      assert.strictEqual((await registerPasskey(bench, lone)).status, 201)
    }
  )

  it("is not said to be another's where the node tells no key", MILLIS, async () => {
    const lone = await boundPilotWallet(bench, 9)
    const ofOwner = ({ method, params: [asked] }: Question) =>
      method === "eth_call" && Object(asked).to?.toLowerCase() === lone.passkeyOwner.toLowerCase()
    bench.proxy.fault({
      method: "eth_call",
      phase: "after",
      within: calls => calls.some(ofOwner),
      act: { kind: "error", code: -32_603, message: "internal error", to: ofOwner }
    })
    await assertProblem(await registerPasskey(bench, lone), "RPC_UNAVAILABLE")
    assert.strictEqual((await registerPasskey(bench, lone)).status, 201)
  })

  it("is the owner's to name, of a wallet of the account", MILLIS, async () => {
    await assertProblem(await registerPasskey(bench, pilot, {}, bot), "FORBIDDEN")
    const stranger = newOwner()
    await enroll(service, stranger)
    await assertProblem(await registerPasskey(bench, pilot, {}, stranger), "BINDING_NOT_FOUND")
  })
})

describe("without the pilot", () => {
  it("its routes say so, and its pages are not there", MILLIS, async () => {
    const replica = await bench.replica({ walletPayments: undefined })
    const id = "00000000-0000-4000-8000-000000000000"
    await assertProblem(await askReview({ service: replica }, bot, id), "WALLET_PAYMENTS_UNAVAILABLE")
    await assertProblem(await shownReview({ service: replica }, bot, id), "WALLET_PAYMENTS_UNAVAILABLE")
    await assertProblem(
      await registerPasskey({ ...bench, service: replica }, pilot),
      "WALLET_PAYMENTS_UNAVAILABLE"
    )
    await assertProblem(await decide(replica, id, "cancel", {}), "ENDPOINT_NOT_FOUND")
    assert.strictEqual((await fetch(`${replica.url}/wallet/payment-reviews/${id}`)).status, 404)
    const { smartAccounts } = await (await fetch(`${replica.url}/api/v1/capabilities`)).json()
    assert.deepStrictEqual(smartAccounts.walletPayments, { state: "unavailable" })
    await replica.stop()
  })

  it("and with it, capabilities tell of it", async () => {
    const { smartAccounts } = await (await fetch(`${service.url}/api/v1/capabilities`)).json()
    assert.strictEqual(smartAccounts.walletPayments.rpId, "localhost")
  })
})

describe("a payment", () => {
  it(
    "in an ERC-20 is approved by one signature together with its allowance, and both are executed",
    MILLIS,
    async () => {
      const amount = 25_000_000n
      const operation = await dollarsBy(bench, pilot, bot, amount)
      const review = await reviewed(bench, bot, operation.id)
      assert.deepInclude(review.payment, {
        ...{ token: bench.usd, symbol: "USD", decimals: 6, amount: String(amount) },
        ...{ approvalStepIndexes: [0], paymentStepIndex: 1, memo: "in dollars" }
      })
      assert.strictEqual((await approve(bench, pilot, review)).status, 200)
      const { approval } = await (await shownReview(bench, bot, review.id)).json()
      const sent = await sendOperation(service, bot, operation, approval?.signature ?? "0x")
      assert.strictEqual(sent.status, 202, await sent.clone().text())
      await until(
        async () => {
          await mine(bench, 1)
          return shownOperation(service, bot, operation)
        },
        ({ state }) => state === "confirmed"
      )
      const held = (address: Address) =>
        bench.sandbox.client.readContract({
          ...{ address: bench.usd, abi: erc20Abi },
          functionName: "balanceOf",
          args: [address]
        })
      assert.strictEqual(await held(pilot.wallet.address), 0n)
      assert.strictEqual(await held(bench.sandbox.at("JBMultiTerminal")), amount)
    }
  )
})
