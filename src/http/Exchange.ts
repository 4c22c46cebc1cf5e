/** One request and what becomes known about it on its way. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Transmission } from "../auth/Authenticate.ts"
import type { HeaderValues } from "../auth/SignedRequest.ts"
import type { ProblemCode } from "../values/ProblemRegister.ts"

export interface Exchange extends Transmission {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly startedMillis: number
  route: string | undefined
  /** Which it counts against, once somebody asked. */
  address: string | undefined
  /** The path of the route, with its parameters' names. */
  template: string | undefined
  /** The problem that it ends with. */
  code: ProblemCode | undefined
  /** Whether its answer went out. */
  settled: boolean
  /** Runs once when the answer goes out. */
  release: (() => void) | undefined
}

const headerValues = (raw: ReadonlyArray<string>): HeaderValues => {
  const values = new Map<string, Array<string>>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase()
    const value = raw[index + 1] ?? ""
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

class Received implements Exchange {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  readonly target: string
  readonly startedMillis: number
  route: Exchange["route"] = undefined
  address: Exchange["address"] = undefined
  template: Exchange["template"] = undefined
  code: Exchange["code"] = undefined
  signed: Exchange["signed"] = undefined
  settled = false
  release: Exchange["release"] = undefined
  body: Exchange["body"] = undefined
  charged = false
  quota: Exchange["quota"] = undefined
  #headers: HeaderValues | undefined = undefined

  constructor(request: IncomingMessage, response: ServerResponse, id: string, startedMillis: number) {
    this.id = id
    this.request = request
    this.response = response
    this.method = request.method ?? ""
    this.target = request.url ?? ""
    this.startedMillis = startedMillis
  }

  /** Read where somebody asks: what is answered from kept bytes looks at few of them. */
  get headers(): HeaderValues {
    this.#headers ??= headerValues(this.request.rawHeaders)
    return this.#headers
  }
}

export const makeExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  startedMillis: number
): Exchange => new Received(request, response, id, startedMillis)
