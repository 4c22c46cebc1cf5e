/** One identity's signed requests, sent again with a new nonce until an answer arrives. */
import { randomBytes } from "node:crypto"
import type { PrivateKeyAccount } from "viem/accounts"
import {
  freshNonce,
  type Outgoing,
  type SignerIdentity,
  signedHeaders
} from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import type { Chance } from "./Chance.ts"
import type { Notebook, Told } from "./Told.ts"

export interface Gate {
  /** Resolves when clients may speak. */
  readonly open: () => Promise<void>
}

export interface Request {
  readonly route: Told["route"]
  readonly method: "GET" | "POST"
  readonly target: string
  readonly key?: string
  readonly body?: unknown
  /** Where its first attempt goes. */
  readonly to?: string | undefined
  /** Hears each answer whole. */
  readonly heard?: (json: Readonly<Record<string, unknown>>) => void
}

export interface Speaker {
  readonly principal: string
  readonly ask: (request: Request) => Promise<Told>
}

const LONELY_MILLIS = 60
/** Nonces of two minutes are given free that slowly, and nobody needs to be asked more often. */
const PATIENT_MILLIS = 2_000
const ANSWER_MILLIS = 30_000
const WAITS_LONGER = 1.5
const REPEATS = 0.1

export const newKey = (): string => randomBytes(16).toString("hex")

/** Of an account whose live nonces are as many as may be, which keeps none of what it refuses for that. */
const isCrowded = (json: { readonly context?: { readonly limit?: unknown } }): boolean =>
  json.context?.limit === "unexpired nonces"

const planIn = (body: { readonly plan?: Plan; readonly steps?: unknown }): Plan | undefined => {
  const isPlan = (value: unknown): value is Plan =>
    typeof value === "object" && value !== null && "steps" in value
  if (isPlan(body.plan)) return body.plan
  return isPlan(body) ? body : undefined
}

const isSponsorship = (value: unknown): value is Sponsorship =>
  typeof value === "object" && value !== null && "authorizations" in value

const isOperation = (value: unknown): value is PublicUserOperation =>
  typeof value === "object" && value !== null && "operationHash" in value

const isSession = (value: unknown): value is PublicSession =>
  typeof value === "object" && value !== null && "sessionKey" in value && "compiled" in value

/** By itself, or beside the plan that enables or revokes it. */
const sessionIn = (body: { readonly session?: unknown }): PublicSession | undefined =>
  [body, body.session].find(isSession)

export const makeSpeaker = (
  url: string,
  owner: PrivateKeyAccount,
  gate: Gate,
  notebook: Notebook,
  chance: Chance,
  bot?: { readonly key: PrivateKeyAccount; readonly grantId: string },
  /** Where the next request goes; to the audience's own address unless told otherwise. */
  reach: () => string = () => url
): Speaker => {
  const accountId = `eip155:31337:${owner.address.toLowerCase()}`
  const identity: SignerIdentity = {
    audience: url,
    accountId,
    signer: bot?.key ?? owner,
    grantId: bot?.grantId
  }
  const principal = bot === undefined ? `owner:${accountId}` : `bot:${bot.grantId}`

  const exchange = async (
    address: string,
    { target, method, body }: Outgoing,
    headers: Record<string, string>
  ) => {
    const answer = await fetch(`${address}${target}`, {
      method,
      headers,
      signal: AbortSignal.timeout(ANSWER_MILLIS),
      ...(body === undefined ? {} : { body })
    })
    return { status: answer.status, json: await answer.json() }
  }

  const send = async (
    { route, key = "", to = reach(), heard }: Request,
    outgoing: Outgoing,
    nonce: string,
    headersNow: () => Promise<Record<string, string>>
  ) => {
    await gate.open()
    const asked = { route, to, target: outgoing.target, since: new Date().toISOString() }
    notebook.open.add(asked)
    const answer = await headersNow()
      .then(headers => exchange(to, outgoing, headers))
      .finally(() => notebook.open.delete(asked))
    const { status, json } = answer
    heard?.(json)
    const session = sessionIn(json)
    const code = typeof json.code === "string" ? json.code : undefined
    const crowded = isCrowded(json)
    const told: Told = {
      ...{ principal, route, key, nonce, status, code, crowded, plan: planIn(json), at: Date.now() },
      ...(isSponsorship(json) ? { sponsorship: json } : {}),
      ...(isOperation(json) ? { operation: json } : {}),
      ...(session === undefined ? {} : { session })
    }
    notebook.told.push(told)
    return told
  }

  /** Signs only when it may speak, so that no silence outlasts what was signed. */
  const once = async (request: Request): Promise<Told | undefined> => {
    const { method, target, key, body } = request
    const text = body === undefined ? undefined : JSON.stringify(body)
    const outgoing: Outgoing = {
      method,
      target,
      idempotencyKey: key,
      ...(text === undefined ? {} : { body: text, contentType: "application/json" })
    }
    const nonce = freshNonce(realSystem)
    const sign = () => {
      const issuedAt = Math.floor(Date.now() / 1000)
      return signedHeaders(identity, outgoing, { issuedAt, expiresAt: issuedAt + 120, nonce })
    }
    let signed: Promise<Record<string, string>> | undefined
    const headersNow = () => {
      signed ??= sign()
      return signed
    }
    const told = await send(request, outgoing, nonce, headersNow).catch(() => undefined)
    if (told === undefined) notebook.lost.count++
    if (chance.happens(REPEATS))
      await send({ ...request, to: reach() }, outgoing, nonce, headersNow).catch(() => undefined)
    return told
  }

  const ask = async (request: Request): Promise<Told> => {
    let wait = LONELY_MILLIS
    for (let to = request.to; ; to = undefined) {
      const told = await once({ ...request, to })
      if (told !== undefined && told.status < 500 && !told.crowded) return told
      await new Promise(resolve => setTimeout(resolve, wait))
      wait = Math.min(wait * WAITS_LONGER, PATIENT_MILLIS)
    }
  }
  return { principal, ask }
}
