/** Payments that an app has a wallet's owner approve by a passkey, on the real contracts and through the real bundler. */
import { getAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { PaymentReview } from "../../src/payments/PaymentReview.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { sendOperation, shownOperation } from "../useroperations/support/Operating.ts"
import { signedBy } from "../useroperations/support/Signed.ts"
import { approve, assertionFor, cancel, decide } from "./support/Deciding.ts"
import { newPasskey } from "./support/Passkeys.ts"
import {
  appBot,
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

const statusOf = async (review: Pick<PaymentReview, "id">, by: Party = bot): Promise<PaymentReview> =>
  (await shownReview(bench, by, review.id)).json()

const expire = ({ id }: Pick<PaymentReview, "id">) =>
  sqlOn(service.databaseUrl, "UPDATE payment_reviews SET expires_at = unix_millis() WHERE id = $1", [id])

describe("a payment", () => {
  it("is reviewed, approved by the passkey, sent by the app and executed", MILLIS, async () => {
    const { operation, review } = await opened()
    assert.strictEqual(review.status, "pending")
    assert.isNull(review.approval)
    assert.strictEqual(review.signing.digest, operation.signing.digest)
    assert.match(review.payment.memo, /^payment \d+$/)
    assert.deepStrictEqual(review.payment, {
      kind: "v6-pay",
      chainId: 31_337,
      wallet: pilot.wallet.address,
      token: NATIVE_TOKEN,
      symbol: "ETH",
      decimals: 18,
      terminal: getAddress(bench.sandbox.at("JBMultiTerminal")),
      projectId: "2",
      amount: "1000",
      beneficiary: pilot.wallet.address,
      minimumReturnedTokens: "0",
      memo: review.payment.memo,
      approvalStepIndexes: [],
      paymentStepIndex: 0
    })

    const answer = await approve(bench, pilot, review)
    const decided = await answer.json()
    assert.strictEqual(answer.status, 200, JSON.stringify(decided))
    assert.isNull(answer.headers.get("access-control-allow-origin"))
    const to = new URL(decided.redirect)
    assert.strictEqual(`${to.origin}${to.pathname}`, "https://app.example/paid")
    assert.deepStrictEqual(Object.fromEntries(to.searchParams), {
      from: "wallet",
      review: review.id,
      state: review.state,
      iss: "https://wallet.example"
    })

    const { status, approval, decidedAt } = await statusOf(review)
    assert.strictEqual(status, "approved")
    assert.isNumber(decidedAt)
    if (approval === null) return assert.fail("no approval")
    const sent = await sendOperation(service, bot, operation, approval.signature)
    const submitted = await sent.json()
    assert.strictEqual(sent.status, 202, JSON.stringify(submitted))
    assert.strictEqual(submitted.submission.commitment, approval.signedCommitment)

    const ended = await until(
      async () => {
        await mine(bench, 1)
        return shownOperation(service, bot, operation)
      },
      ({ state }) => state === "confirmed"
    )
    assert.isUndefined(ended.observation?.reason)
    assert.strictEqual((await statusOf(review)).operationState, "confirmed")
  })

  it(
    "whose envelope was altered is refused by the service or its entry point, and is not sent",
    MILLIS,
    async () => {
      const { operation, review } = await opened()
      await approve(bench, pilot, review)
      const { approval } = await statusOf(review)
      const envelope = approval?.signature ?? assert.fail("no approval")
      const changedAt = (digits: number): `0x${string}` => {
        const other = envelope.at(digits) === "0" ? "1" : "0"
        const all = [...envelope]
        all[digits < 0 ? all.length + digits : digits] = other
        return `0x${all.join("").slice(2)}`
      }
      const bytes = (at: number) => 2 + 2 * at
      /** The times, the owner, the form, the length, a point, the index, the client data, the filling. */
      for (const at of [
        2,
        bytes(12) + 40,
        bytes(12) + 127,
        bytes(77) + 63,
        bytes(109) + 10,
        bytes(109) + 255,
        -200,
        -1
      ]) {
        const answer = await sendOperation(service, bot, operation, changedAt(at))
        assert.include([400, 403, 409, 422], answer.status, `${at}`)
      }
      assert.strictEqual((await shownOperation(service, bot, operation)).state, "prepared")
      const [row] = await sqlOn(
        service.databaseUrl,
        "SELECT count(*) AS sends FROM operation_sends WHERE operation = $1",
        [operation.id]
      )
      assert.strictEqual(Number(row?.sends), 0)
    }
  )

  it("is signed as well by the owner's own key", MILLIS, async () => {
    const operation = await operationBy(bench, pilot, bot)
    const envelope = await signedBy(operation.signing.digest, operation.signing, [pilot.owner.key])
    const sent = await sendOperation(service, bot, operation, envelope)
    assert.strictEqual(sent.status, 202, await sent.clone().text())
    await until(
      async () => {
        await mine(bench, 1)
        return shownOperation(service, bot, operation)
      },
      ({ state }) => state === "confirmed"
    )
  })
})

describe("an assertion", () => {
  const other = newPasskey()
  const changes = [
    ["challenge", { digest: `0x${"12".repeat(32)}` }],
    ["origin", { origin: "https://app.example" }],
    ["rp-id", { rpId: "app.example" }],
    ["user-presence", { flags: 4 }],
    ["user-verification", { flags: 1 }],
    ["type", { type: "webauthn.create" }]
  ] as const

  it("is refused with anything altered, and the review stays pending", MILLIS, async () => {
    const { review } = await opened()
    for (const [check, over] of changes) {
      const problem = await assertProblem(
        await approve(bench, pilot, review, over),
        "PAYMENT_ASSERTION_INVALID"
      )
      assert.deepStrictEqual(problem.context, { check })
    }
    const right = assertionFor(bench, pilot, review)
    const foreign = assertionFor(
      bench,
      { ...pilot, passkey: { ...other, credentialId: pilot.passkey.credentialId } },
      review
    )
    const wrong = [
      ["signature", foreign],
      ["credential", { ...right, credentialId: other.credentialId }]
    ] as const
    for (const [check, assertion] of wrong) {
      const answer = await decide(service, review.id, "approve", { assertion })
      assert.deepStrictEqual((await assertProblem(answer, "PAYMENT_ASSERTION_INVALID")).context, { check })
    }
    assert.strictEqual((await statusOf(review)).status, "pending")
  })

  it(
    "that its contract does not take is refused, whatever the service knows as its key",
    MILLIS,
    async () => {
      const lone = await pilotWallet(bench, 1)
      const app = await appBot(bench, lone)
      const operation = await operationBy(bench, lone, app)
      const review = await reviewed(bench, app, operation.id)
      await sqlOn(service.databaseUrl, "UPDATE credentials SET x = $2, y = $3 WHERE binding = $1", [
        lone.binding.id,
        other.x,
        other.y
      ])
      const passkey = { ...other, credentialId: lone.passkey.credentialId }
      const answer = await approve(bench, { ...lone, passkey }, review)
      assert.deepStrictEqual((await assertProblem(answer, "PAYMENT_ASSERTION_INVALID")).context, {
        check: "contract"
      })
    }
  )

  it("counts on with its authenticator, and never back", MILLIS, async () => {
    const lone = await pilotWallet(bench, 2)
    const app = await appBot(bench, lone)
    const review = async () => reviewed(bench, app, (await operationBy(bench, lone, app)).id)
    assert.strictEqual((await approve(bench, lone, await review(), { counter: 5 })).status, 200)
    const next = await review()
    for (const counter of [5, 4, 0]) {
      const answer = await approve(bench, lone, next, { counter })
      assert.deepStrictEqual((await assertProblem(answer, "PAYMENT_ASSERTION_INVALID")).context, {
        check: "counter"
      })
    }
    for (const over of [{}, { credentialId: "YW5vdGhlcg" }, {}])
      assert.strictEqual((await registerPasskey(bench, lone, over)).status, 201)
    await assertProblem(await approve(bench, lone, next, { counter: 5 }), "PAYMENT_ASSERTION_INVALID")
    assert.strictEqual((await approve(bench, lone, next, { counter: 6 })).status, 200)
  })
})

describe("a review", () => {
  it("is cancelled for good", MILLIS, async () => {
    const { review } = await opened()
    const answer = await cancel(bench, review)
    const { status, redirect } = await answer.json()
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(status, "cancelled")
    assert.isTrue(redirect.startsWith("https://app.example/paid?"))
    for (const again of [await cancel(bench, review), await approve(bench, pilot, review)])
      assert.deepStrictEqual((await assertProblem(again, "PAYMENT_REVIEW_DECIDED")).context, {
        status: "cancelled"
      })
    const shown = await statusOf(review)
    assert.deepStrictEqual([shown.status, shown.approval], ["cancelled", null])
  })

  it("expires, and cannot be decided then", MILLIS, async () => {
    const { review } = await opened()
    await expire(review)
    await assertProblem(await approve(bench, pilot, review), "PAYMENT_REVIEW_EXPIRED")
    await assertProblem(await cancel(bench, review), "PAYMENT_REVIEW_EXPIRED")
    const { status, decidedAt } = await statusOf(review)
    assert.deepStrictEqual([status, decidedAt], ["expired", null])
  })

  it("is decided once, however many decide at once", MILLIS, async () => {
    for (let round = 0; round < 4; round++) {
      const { review } = await opened()
      const answers = await Promise.all([
        approve(bench, pilot, review),
        cancel(bench, review),
        approve(bench, pilot, review),
        cancel(bench, review)
      ])
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      const [won] = await Promise.all(answers.filter(({ status }) => status === 200).map(each => each.json()))
      const { status, approval } = await statusOf(review)
      assert.strictEqual(status, won.status)
      assert.strictEqual(approval !== null, status === "approved")
      for (const lost of answers.filter(({ status }) => status !== 200))
        await assertProblem(lost, "PAYMENT_REVIEW_DECIDED")
    }
  })

  it("is cancelled by its app's revoked grant, at any moment before the decision", MILLIS, async () => {
    const lone = await pilotWallet(bench, 3)
    const app = await appBot(bench, lone)
    const operation = await operationBy(bench, lone, app)
    const review = await reviewed(bench, app, operation.id)
    const path = `/api/v1/accounts/me/bots/${app.grantId}`
    assert.strictEqual((await signedFetch(service, lone.owner, "DELETE", path)).status, 200)
    const problem = await assertProblem(await approve(bench, lone, review), "PAYMENT_REVIEW_DECIDED")
    assert.deepStrictEqual(problem.context, { status: "cancelled" })
    await assertProblem(await cancel(bench, review), "PAYMENT_REVIEW_DECIDED")
  })

  it("is not approved for a wallet that was unlinked since", MILLIS, async () => {
    const lone = await pilotWallet(bench, 4)
    const app = await appBot(bench, lone)
    const review = await reviewed(bench, app, (await operationBy(bench, lone, app)).id)
    await signedFetch(service, lone.owner, "DELETE", `/api/v1/smart-accounts/bindings/${lone.binding.id}`)
    const problem = await assertProblem(await approve(bench, lone, review), "PAYMENT_UNSUITABLE")
    assert.deepStrictEqual(problem.context, { reason: "binding" })
  })
})
