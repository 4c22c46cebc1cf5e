/** Logs, traces, metrics and answers tell what became of a payment's review, and nothing by which its passkey signed. */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { PaymentReview } from "../../src/payments/PaymentReview.ts"
import type { RunningService } from "../support/Service.ts"
import { type Listener, listener } from "../telemetry/support/Listener.ts"
import { sendOperation } from "../useroperations/support/Operating.ts"
import { assertionFor, cancel, decide } from "./support/Deciding.ts"
import {
  appBot,
  askReview,
  boundPilotWallet,
  newState,
  operationBy,
  registerPasskey,
  shownReview,
  startPilotBench
} from "./support/PilotBench.ts"

const bench = await startPilotBench({}, { passkeys: 1, apps: 1 })
const logged: Array<string> = []
/** But for the app's own look at what was approved. */
const answers: Array<string> = []
const secrets: Array<string> = []

let otlp: Listener
let service: RunningService
let metrics = ""
let approved: PaymentReview

/** Each request is one of those that are traced. */
const traceAll = () => {
  const random = crypto.randomUUID
  const spy = vi.spyOn(crypto, "randomUUID")
  spy.mockImplementation(() => `00${random().slice(2)}` as ReturnType<typeof random>)
  syncBuiltinESMExports()
}

const keepLogs = () =>
  vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest) => {
    logged.push(String(text))
    for (const done of rest) if (typeof done === "function") done()
    return true
  })

const kept = async (asked: Promise<Response>): Promise<Response> => {
  const answer = await asked
  answers.push(await answer.clone().text())
  return answer
}

const hexOf = (base64url: string): string => Buffer.from(base64url, "base64url").toString("hex")

/** As the browser sends them, and in every form that the service makes of them. */
const keepSecret = ({ signature, authenticatorData, clientDataJSON }: ReturnType<typeof assertionFor>) => {
  for (const part of [signature, authenticatorData, clientDataJSON])
    secrets.push(part.replace("*", ""), hexOf(part))
}

/** Through each route and page, right and wrong. */
const exercise = async () => {
  const own = { ...bench, service }
  const pilot = await boundPilotWallet(own, 0)
  await kept(registerPasskey(own, pilot))
  const bot = await appBot(own, pilot)
  const operation = await operationBy(own, pilot, bot)
  const state = newState()
  const review: PaymentReview = await (await askReview(own, bot, operation.id, { state })).json()
  const assertion = assertionFor(own, pilot, review)
  const wrong = [
    ...(["signature", "authenticatorData", "clientDataJSON"] as const).map(part => ({
      ...assertion,
      [part]: `${assertion[part]}*`
    })),
    assertionFor(own, pilot, review, { digest: `0x${"12".repeat(32)}` }),
    { ...assertion, signature: Buffer.from("decade".repeat(20), "hex").toString("base64url") }
  ]
  for (const each of [...wrong, assertion]) {
    keepSecret(each)
    await kept(decide(service, review.id, "approve", { assertion: each }))
  }
  await kept(decide(service, review.id, "approve", { assertion }))
  await kept(decide(service, review.id, "approve", `{"assertion":{"signature":"${assertion.signature}"`))
  await kept(cancel(own, review))
  await kept(fetch(`${service.url}/wallet/payment-reviews/${review.id}`))
  approved = await (await shownReview(own, bot, review.id)).json()
  const envelope = approved.approval?.signature ?? assert.fail("no approval")
  secrets.push(envelope.slice(2))
  for (const more of ["00", "0", "zz"])
    await kept(sendOperation(service, bot, operation, `${envelope}${more}`))
  await kept(sendOperation(service, bot, operation, envelope))
  await kept(sendOperation(service, pilot.owner, operation, envelope))
}

beforeAll(async () => {
  otlp = await listener(200, "{}")
  keepLogs()
  traceAll()
  service = await bench.replica({
    ...bench.pilot,
    trustedProxies: ["127.0.0.1"],
    log: { level: "debug", format: "json" },
    otlpEndpoint: Redacted.make(`http://127.0.0.1:${otlp.port}`)
  })
  await exercise()
  metrics = await (await fetch(`${service.opsUrl}/metrics`)).text()
  await service.stop()
})

afterAll(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await otlp.stop()
  await bench.stop()
})

const quoted = (texts: ReadonlyArray<string>) => {
  const text = texts.join("\n").toLowerCase()
  return secrets.filter(secret => text.includes(secret.toLowerCase()))
}

describe("what a passkey signed, and the envelope that was made of it", () => {
  it("is in no log line, however much is logged", () => {
    assert.isAbove(logged.length, 10)
    assert.isTrue(logged.some(line => line.includes("approvePaymentReviewPage")))
    assert.deepStrictEqual(quoted(logged), [])
  })

  it("is in no span", () => {
    assert.isTrue(otlp.bodies.some(body => body.includes("DecideReview.approve")))
    assert.deepStrictEqual(quoted(otlp.bodies), [])
  })

  it("is in no metric", () => {
    assert.include(metrics, "service_")
    assert.deepStrictEqual(quoted([metrics]), [])
  })

  it("is in no answer but the app's own, and in no problem", () => {
    for (const code of ["PAYMENT_ASSERTION_INVALID", "PAYMENT_REVIEW_DECIDED", "INVALID_ENVELOPE"])
      assert.isTrue(
        answers.some(answer => answer.includes(code)),
        code
      )
    assert.deepStrictEqual(quoted(answers), [])
  })
})
