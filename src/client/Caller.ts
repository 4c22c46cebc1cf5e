/** Calls a declared endpoint by its line in the table. */
import { toHex } from "../values/TypedDataHash.ts"
import type { Conversation, Prepare } from "./Conversation.ts"
import type { ClientEndpoint } from "./Endpoints.ts"
import type { ServiceAnswer } from "./Exchange.ts"
import type { Outgoing } from "./SignRequest.ts"
import type { System } from "./System.ts"
import { type QueryValue, requestTargetOf } from "./Target.ts"

export interface Keyed {
  /** 1 to 128 of `A-Za-z0-9._:-`; made when absent; failures tell it. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Parts extends Keyed {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: unknown
}

interface KeyedAnswer<Success> {
  readonly body: Success
  readonly told: {
    readonly idempotencyKey: string
    /** Whether the answer is that of an earlier request with the same key. */
    readonly replayed: boolean
  }
}

export const JSON_TYPE = "application/json"

export const newIdempotencyKey = (system: System): string => toHex(system.randomBytes(16)).slice(2)

const withJson = (outgoing: Outgoing, body: unknown): Outgoing =>
  body === undefined ? outgoing : { ...outgoing, body: JSON.stringify(body), contentType: JSON_TYPE }

export class Caller {
  readonly conversation: Conversation

  constructor(conversation: Conversation) {
    this.conversation = conversation
  }

  async answer<Success>(
    endpoint: ClientEndpoint<Success>,
    parts: Parts = {}
  ): Promise<ServiceAnswer<Success>> {
    const { method, at, access } = endpoint
    const target = requestTargetOf(at, parts.path, parts.query)
    const outgoing = withJson({ method, target, idempotencyKey: parts.idempotencyKey }, parts.body)
    if (access === "public") return this.conversation.open<Success>(outgoing, parts.signal)
    const repeatable = method === "GET" || access === "keyed"
    return this.conversation.send<Success>(() => outgoing, { repeatable, signal: parts.signal })
  }

  /** Under the key that was given, or a new one, which is told with the answer. */
  async keyed<Success>(
    endpoint: ClientEndpoint<Success>,
    system: System,
    { idempotencyKey = newIdempotencyKey(system), signal }: Keyed,
    parts: Parts
  ): Promise<KeyedAnswer<Success>> {
    const { body, headers } = await this.answer(endpoint, { ...parts, idempotencyKey, signal })
    return { body, told: { idempotencyKey, replayed: headers.get("idempotent-replayed") === "true" } }
  }

  async call<Success>(endpoint: ClientEndpoint<Success>, parts?: Parts): Promise<Success> {
    return (await this.answer(endpoint, parts)).body
  }

  /** For a body that depends on the attempt's nonce. */
  async callPrepared<Success>({ method, at }: ClientEndpoint<Success>, bodyFor: BodyFor): Promise<Success> {
    const prepare: Prepare = async (nonce, identity) =>
      withJson({ method, target: requestTargetOf(at) }, await bodyFor(nonce, identity))
    return (await this.conversation.send<Success>(prepare, { repeatable: false })).body
  }
}

type BodyFor = (...attempt: Parameters<Prepare>) => Promise<unknown>
