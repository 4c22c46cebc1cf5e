/** Every way in which a call of the client fails. */
import type { Problem } from "../values/Problem.ts"
import type { ProblemCode } from "../values/ProblemRegister.ts"

interface Asked {
  readonly method: string
  readonly idempotencyKey?: string | undefined
}

/**
 * The service refused; `problem` says what and why. A `cause` is how an earlier attempt failed, whose outcome is unknown:
 * then nothing proves that nothing was done.
 */
export class ServiceProblem extends Error {
  override readonly name = "ServiceProblem"
  readonly problem: Problem
  /** Seconds to wait before a retry, where the service said so. */
  readonly retryAfterSeconds: number | undefined
  readonly method: string | undefined
  /** Of the request, to repeat it with. */
  readonly idempotencyKey: string | undefined

  constructor(
    problem: Problem,
    retryAfterSeconds: number | undefined,
    { method, idempotencyKey }: Partial<Asked> = {}
  ) {
    super(`${problem.code}: ${problem.detail}`)
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
    this.method = method
    this.idempotencyKey = idempotencyKey
  }

  /** Tells an earlier attempt's failure too. */
  after(earlier: Error): ServiceProblem {
    if (!isRefusedBy(earlier, this.code)) this.cause = earlier
    return this
  }

  get code(): ProblemCode {
    return this.problem.code
  }
}

/** Whether the service refused for this. */
export const isRefusedBy = (failure: unknown, code: ProblemCode): failure is ServiceProblem =>
  failure instanceof ServiceProblem && failure.code === code

/** No whole answer arrived; whether the service acted on the request is unknown unless it only read. */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure"
  readonly method: string
  /** Of the request, to repeat it with. */
  readonly idempotencyKey: string | undefined

  constructor({ method, idempotencyKey }: Asked, url: string, cause: unknown) {
    super(`${method} ${url} was not answered`, { cause })
    this.method = method
    this.idempotencyKey = idempotencyKey
  }
}

/** Something between client and service answered, or the address is not the service's; whether the service acted is unknown. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer"
  readonly method: string
  readonly status: number
  /** Of the request, to repeat it with. */
  readonly idempotencyKey: string | undefined

  constructor({ method, idempotencyKey }: Asked, url: string, status: number) {
    super(`${method} ${url} was answered with ${status} and no JSON of the service`)
    this.method = method
    this.status = status
    this.idempotencyKey = idempotencyKey
  }
}

/** The wallet is on another chain than what it signs or sends, and was not asked. */
export class WalletChainMismatch extends Error {
  override readonly name = "WalletChainMismatch"
  readonly expected: number
  readonly actual: number

  constructor(expected: number, actual: number) {
    super(`The wallet is on chain ${actual}; switch it to chain ${expected}.`)
    this.expected = expected
    this.actual = actual
  }
}

/** A plan, or what is to be signed of it or of a wallet, that is not what it stands for; nothing of it may be signed. */
export class AlteredPlan extends Error {
  override readonly name = "AlteredPlan"
  /** Or the wallet's address. */
  readonly planId: string

  /** `fault` is what differs of something else than the plan. */
  constructor(planId: string, fault?: string, what = "sponsorship of the plan") {
    const [found, why] = fault === undefined ? ["plan", ""] : [what, `: ${fault}`]
    super(`The ${found} ${planId} is not what it stands for${why}; sign nothing of it.`)
    this.planId = planId
  }
}

/** The caller's own mistake, found before anything was sent. */
export class ClientMisuse extends Error {
  override readonly name = "ClientMisuse"
}

/** A chain's node was not reached, refused, or is another chain's. */
export class NodeFailure extends Error {
  override readonly name = "NodeFailure"

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/**
 * Why a step is not signed or sent: `bytes`, it is bound to bytes that are not kept here; `nonce`, another step was signed for
 * the nonce and may still be sent; `asked`, the wallet may have sent it; `other`, what it sent is not the planned call;
 * `restored`, it may have left before the service was restored.
 */
export type HeldReason = "bytes" | "nonce" | "asked" | "other" | "restored"

/** A step that must not be signed or sent now, lest something is sent twice. */
export class StepHeld extends Error {
  override readonly name = "StepHeld"
  readonly reason: HeldReason
  readonly planId: string
  readonly step: number

  constructor(reason: HeldReason, message: string, planId: string, step: number) {
    super(message)
    this.reason = reason
    this.planId = planId
    this.step = step
  }
}
