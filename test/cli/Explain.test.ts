import { assert, describe, it } from "vitest"
import { explain } from "../../src/cli/Explain.ts"
import { ExitCode } from "../../src/cli/Failure.ts"
import { NetworkFailure, ServiceProblem, StepHeld, UnexpectedAnswer } from "../../src/client/Errors.ts"

const url = "http://service.test/api/v1/plans"
const posted = { method: "POST" }

const refusal = new ServiceProblem(
  {
    type: "about:blank",
    title: "Forbidden",
    status: 403,
    detail: "No.",
    code: "FORBIDDEN",
    requestId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
    retryable: false
  },
  undefined
)

const nonceNotReady = (retryable: boolean) =>
  new ServiceProblem({ ...refusal.problem, status: 409, code: "NONCE_NOT_READY", retryable }, undefined)

describe("a nonce that is not the next one", () => {
  it("is waited for, unless it was spent", () => {
    assert.match(explain(nonceNotReady(true)).advice, /wait for it/)
    assert.match(explain(nonceNotReady(false)).advice, /^Waiting does not help: look at what the wallet sent/)
  })
})

it("a nonce that another step holds is freed by that step's bytes, or else by the wallet itself", () => {
  const reserved = { ...refusal.problem, status: 409, code: "NONCE_RESERVED" } as const
  for (const failure of [new ServiceProblem(reserved, undefined), new StepHeld("nonce", "", "", 0)])
    assert.match(explain(failure).advice, /Where those are refused, spend the nonce on a transaction/)
})

it("a plan of before a restoration is looked for first, and its outcome is unknown", () => {
  const over = { ...refusal.problem, status: 409, code: "PLAN_EXPIRED" } as const
  const known = explain(new ServiceProblem(over, undefined, posted))
  assert.strictEqual(known.exitCode, ExitCode.refused)
  assert.match(known.advice, /^Prepare a new plan/)
  const restored = { ...over, context: { restoredAt: 1 } }
  const unknown = explain(new ServiceProblem(restored, undefined, posted))
  assert.strictEqual(unknown.exitCode, ExitCode.unknown)
  assert.match(unknown.advice, /^Look at what the wallet sent since/)
})

describe("how a command that failed ends", () => {
  it("is unknown where the service may have acted", () => {
    const unknown = [
      new NetworkFailure(posted, url, new Error("closed")),
      new UnexpectedAnswer(posted, url, 502),
      new ServiceProblem(refusal.problem, undefined).after(new UnexpectedAnswer(posted, url, 502))
    ]
    for (const failure of unknown) {
      assert.strictEqual(explain(failure).exitCode, ExitCode.unknown, failure.message)
      assert.match(explain(failure).advice, /may have acted/)
    }
  })

  it("is unknown where the request was delivered twice", () => {
    const taken = new ServiceProblem({ ...refusal.problem, status: 409, code: "NONCE_REUSED" }, undefined)
    assert.strictEqual(explain(taken).exitCode, ExitCode.unknown)
    assert.notMatch(explain(taken).advice, /Correct the request/)
  })

  it("is unknown where a database that was lost may have done it, and known where that only read", () => {
    const lost = { ...refusal.problem, status: 503, code: "DATABASE_UNAVAILABLE", retryable: true } as const
    const posting = explain(new ServiceProblem(lost, undefined, posted))
    assert.strictEqual(posting.exitCode, ExitCode.unknown)
    assert.match(posting.advice, /may have acted/)
    const reading = explain(new ServiceProblem(lost, undefined, { method: "GET" }))
    assert.strictEqual(reading.exitCode, ExitCode.refused)
    assert.strictEqual(reading.advice, "Try again later.")
  })

  it("is known where it only read or refused", () => {
    assert.strictEqual(explain(new UnexpectedAnswer({ method: "GET" }, url, 502)).exitCode, ExitCode.network)
    assert.strictEqual(explain(refusal).exitCode, ExitCode.refused)
  })
})
