/** Sends requests for one identity: learns audience and clock, and repeats what may be repeated with a new nonce and signature. */
import type { Capabilities } from "../http/api/Capabilities.ts"
import type { Problem } from "../values/Problem.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { endpoints } from "./Endpoints.ts"
import { ClientMisuse, isRefusedBy, ServiceProblem, UnexpectedAnswer } from "./Errors.ts"
import { bodyBytes, exchange, type Fetch, isRedirect, problemIn, type ServiceAnswer } from "./Exchange.ts"
import { isUnknownOutcome, retryDelay } from "./Retry.ts"
import { ServiceClock } from "./ServiceClock.ts"
import type { Signer } from "./Signer.ts"
import { freshNonce, type Outgoing, type SignerIdentity, signedHeaders } from "./SignRequest.ts"
import { type System, unlessAborted } from "./System.ts"

export interface Credentials {
  readonly audience: string | undefined
  readonly account: string
  readonly signer: Signer
  readonly grantId: string | undefined
  readonly windowSeconds: number
}

interface ConversationOptions {
  readonly baseUrl: string
  /** Absent where only public routes are called. */
  readonly credentials?: Credentials
  readonly retries: number
  readonly timeoutMillis: number
  readonly fetch: Fetch
  readonly system: System
}

/** Builds the request anew for each attempt, since a bot proof is bound to the attempt's nonce. */
export type Prepare = (nonce: Bytes32, identity: SignerIdentity) => Outgoing | Promise<Outgoing>

interface Sending {
  /** A repeat has no second effect: reads, and creations under an idempotency key. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

const CLOCK_PROBE: Outgoing = { method: "GET", target: endpoints.getAccount.at }

export class Conversation {
  readonly clock: ServiceClock
  readonly #options: ConversationOptions
  #audience: Promise<string> | undefined
  #seesDates = false

  constructor(options: ConversationOptions) {
    this.#options = options
    this.clock = new ServiceClock(options.system)
    const audience = options.credentials?.audience
    if (audience !== undefined) this.#audience = Promise.resolve(audience)
  }

  /** Forgets a failed look-up, so that the next request asks again. */
  audience(): Promise<string> {
    this.#audience ??= this.capabilities().then(
      ({ audience }) => audience,
      failure => {
        this.#audience = undefined
        throw failure
      }
    )
    return this.#audience
  }

  async capabilities(): Promise<Capabilities> {
    const outgoing = { method: "GET", target: endpoints.getCapabilities.at }
    const { headers, body } = await this.open<Capabilities>(outgoing)
    this.clock.learnDate(headers.get("date"))
    return body
  }

  /** A public route: nothing is signed. */
  open<Body>(outgoing: Outgoing, signal?: AbortSignal): Promise<ServiceAnswer<Body>> {
    return this.#patiently(() => exchange<Body>(this.#options, outgoing, {}, signal), {
      repeatable: true,
      signal
    })
  }

  async send<Body>(prepare: Prepare, sending: Sending): Promise<ServiceAnswer<Body>> {
    await unlessAborted(this.audience(), sending.signal)
    return this.#patiently(() => this.#onTime<Body>(prepare, sending.signal), sending)
  }

  /** The service's answer as it is, refusals too. */
  async fetch(outgoing: Outgoing, given: Headers, signal: AbortSignal): Promise<Response> {
    await unlessAborted(this.audience(), signal)
    const offset = this.clock.offsetMillis
    const response = await this.#fetchOnce(outgoing, given, signal)
    const problem = response.status === 401 ? problemIn(await response.clone().text()) : undefined
    if (problem?.code !== "AUTH_EXPIRED") return response
    await this.#learnFrom(problem, signal)
    return this.clock.hasMovedFrom(offset) ? this.#fetchOnce(outgoing, given, signal) : response
  }

  async #fetchOnce(outgoing: Outgoing, given: Headers, signal: AbortSignal): Promise<Response> {
    const { baseUrl, fetch } = this.#options
    const { method, target, body } = outgoing
    const signed = await unlessAborted(
      this.#signed(() => outgoing),
      signal
    )
    const headers = new Headers(given)
    for (const [name, value] of Object.entries(signed.headers)) headers.set(name, value)
    const init = { method, headers, redirect: "manual", signal, body: bodyBytes(body) } as const
    const url = `${baseUrl}${target}`
    const response = await fetch(url, init)
    if (isRedirect(response)) throw new UnexpectedAnswer(outgoing, url, response.status)
    this.#noteDate(response.headers)
    return response
  }

  async #patiently<Body>(
    once: () => Promise<ServiceAnswer<Body>>,
    { repeatable, signal }: Sending
  ): Promise<ServiceAnswer<Body>> {
    const { retries, system } = this.#options
    /** Of what has a key: a read leaves nothing to be known. */
    let unknown: Error | undefined
    for (let attempt = 0; ; attempt++) {
      try {
        return await unlessAborted(once(), signal)
      } catch (failure) {
        const delay = repeatable && attempt < retries ? retryDelay(failure, attempt, system) : undefined
        if (isUnknownOutcome(failure) && !(unknown && failure instanceof ServiceProblem)) unknown = failure
        if (delay === undefined)
          throw failure instanceof ServiceProblem && failure.idempotencyKey && unknown
            ? failure.after(unknown)
            : failure
        await system.sleep(delay, signal)
      }
    }
  }

  /** A request refused for its time was not acted upon, so it is signed once more on a clock that has moved. */
  async #onTime<Body>(prepare: Prepare, signal: AbortSignal | undefined): Promise<ServiceAnswer<Body>> {
    const offset = this.clock.offsetMillis
    try {
      return await this.#once<Body>(prepare, signal)
    } catch (failure) {
      if (!isRefusedBy(failure, "AUTH_EXPIRED")) throw failure
      await this.#learnFrom(failure.problem, signal)
      if (!this.clock.hasMovedFrom(offset)) throw failure
      return this.#once<Body>(prepare, signal)
    }
  }

  /** Where neither a date nor a diagnosis can be seen, a refused read brings one. */
  async #learnFrom({ diagnosis }: Problem, signal: AbortSignal | undefined): Promise<void> {
    const serverTime = diagnosis?.serverTime
    if (typeof serverTime === "number") this.clock.learnSeconds(serverTime)
    else if (!this.#seesDates || this.clock.isTold)
      await this.#once(() => CLOCK_PROBE, signal).catch((failure: unknown) => {
        const time = failure instanceof ServiceProblem ? failure.problem.diagnosis?.serverTime : undefined
        if (typeof time === "number") this.clock.learnSeconds(time)
      })
  }

  async #once<Body>(prepare: Prepare, signal: AbortSignal | undefined): Promise<ServiceAnswer<Body>> {
    const { outgoing, headers } = await this.#signed(prepare)
    return exchange<Body>({ ...this.#options, onHeaders: this.#noteDate }, outgoing, headers, signal)
  }

  async #signed(prepare: Prepare) {
    const { system, credentials } = this.#options
    if (credentials === undefined) throw new ClientMisuse("Signed routes need an account and a signer.")
    const { account, signer, grantId, windowSeconds } = credentials
    const identity = { audience: await this.audience(), accountId: account, signer, grantId }
    const nonce = freshNonce(system)
    const outgoing = await prepare(nonce, identity)
    const issuedAt = this.clock.seconds()
    const window = { issuedAt, expiresAt: issuedAt + windowSeconds, nonce }
    return { outgoing, headers: await signedHeaders(identity, outgoing, window) }
  }

  readonly #noteDate = (headers: Headers): void => {
    this.#seesDates = headers.has("date")
    this.clock.learnDate(headers.get("date"))
  }
}
