/** How races ask: as their clients would, once more where they are refused for a while. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Hex } from "viem"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import type { Chance } from "../crash/Chance.ts"
import type { Ready } from "./Signed.ts"

export interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly isReplayed: boolean
  readonly body: {
    readonly retryable?: boolean
    readonly id?: string
    readonly createdAt?: number
    readonly plan?: Plan
    readonly calls?: Plan["calls"]
    readonly commitment?: Plan["commitment"]
    readonly bot?: { readonly id: string }
    readonly complete?: boolean
    readonly authorizations?: Sponsorship["authorizations"]
    readonly stateHash?: Hex
    readonly digest?: Hex
    readonly operationHash?: Hex
    readonly signing?: PublicUserOperation["signing"]
    readonly compiled?: PublicSession["compiled"]
    readonly state?: string
  }
}

const REPEATS = 20
const PAUSE_MILLIS = 250

/** What a service, or whom it asks, cannot do for a while; whatever else may be asked again is an outcome of the race. */
const isPassing = ({ status, body }: Answer): boolean => status >= 500 && body.retryable === true

export const asking = (addresses: ReadonlyArray<string>) => {
  let requests = 0
  let repeats = 0
  const askOnce = async ({ target, init }: Ready, replica: number): Promise<Answer> => {
    requests++
    const response = await fetch(`${addresses[replica % addresses.length]}${target}`, init)
    const body = await response.json()
    const code = response.ok || typeof body.code !== "string" ? undefined : body.code
    return { status: response.status, code, isReplayed: response.headers.has("idempotent-replayed"), body }
  }
  const ask = async (request: Ready, replica: number): Promise<Answer> => {
    let answer = await askOnce(request, replica)
    for (let times = 0; isPassing(answer) && request.again !== undefined && times < REPEATS; times++) {
      await sleep(PAUSE_MILLIS)
      repeats++
      answer = await askOnce(request.again(), replica)
    }
    return answer
  }
  const contest = (wanted: ReadonlyArray<Ready>, chance: Chance) => {
    const first = chance.below(addresses.length)
    return Promise.all(wanted.map((request, index) => ask(request, first + index)))
  }
  return { ask, contest, requests: () => requests, repeats: () => repeats }
}
