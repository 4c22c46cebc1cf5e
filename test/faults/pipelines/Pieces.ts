/** What a connection may be told, in what order and pieces, and how it ends: whole requests, broken ones, and what is none. */
import { rawRequest } from "../../support/HttpRaw.ts"
import type { Chance } from "../crash/Chance.ts"

/** Signed-looking requests that the service works on for a while. */
export interface Signed {
  readonly forged: () => string
  readonly good: () => string
}

export type Ending = "half-close" | "reset" | "destroy" | "linger"

export interface Pipeline {
  readonly toOperators: boolean
  /** Each written by itself, after a turn of its own. */
  readonly writes: ReadonlyArray<Buffer>
  readonly ending: Ending
  /** Whether it waits for an answer before it ends. */
  readonly awaitsAnswer: boolean
  readonly bytesAfterEnd: boolean
}

const ENROLL = "/api/v1/accounts/enroll"
const CHUNKED = { "Transfer-Encoding": "chunked", "Content-Type": "application/json" }

const connect = () => "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"

const upgrade = (chance: Chance) =>
  rawRequest("GET", "/api/v1", {
    Connection: "Upgrade",
    Upgrade: chance.pick(["websocket", "h2c", "TLS/1.0"]),
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="
  })

const expecting = (chance: Chance) =>
  rawRequest(
    "POST",
    ENROLL,
    {
      Expect: chance.pick(["100-continue", "100-CONTINUE", "200-ok", "", "100-continue, 100-continue"]),
      "Content-Type": "application/json",
      "Content-Length": chance.pick(["2", "0", "70000", "1"])
    },
    chance.pick(["", "{}", "{"])
  )

const brokenChunks = (chance: Chance) =>
  rawRequest(
    "POST",
    ENROLL,
    CHUNKED,
    chance.pick([
      "zz\r\n{}\r\n",
      "2\r\n{}\r\n",
      "2\r\n{}0\r\n\r\n",
      "ffffffffffffffff\r\n{}",
      "2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n",
      "-1\r\n",
      `2;${"e".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      "2\r\n{}\r\n0\r\n\r\n"
    ])
  )

const plain = (chance: Chance) =>
  rawRequest(
    chance.pick(["GET", "HEAD", "OPTIONS", "DELETE", "TRACE"]),
    chance.pick([
      "/api/v1",
      "/api/v1/openapi.json",
      "/docs",
      "/nothing",
      "/api/v1/accounts/me",
      "/healthz",
      "*"
    ]),
    chance.happens(0.2) ? { Connection: "close" } : {}
  )

const overlong = (chance: Chance) =>
  rawRequest("GET", "/api/v1", { "X-Filler": "a".repeat(chance.pick([10_000, 32_000, 40_000])) })

const garbage = (chance: Chance) =>
  chance.pick([
    "NOT HTTP\r\n\r\n",
    "\0\0\0\0",
    "\x16\x03\x01\x02\x00\x01",
    "\r\n\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a".repeat(70_000)
  ])

const partial = (chance: Chance) => {
  const whole = rawRequest("GET", "/api/v1", { "X-Filler": "a".repeat(50) })
  return whole.slice(0, chance.below(whole.length))
}

type Piece = (chance: Chance, signed: Signed) => string

/** Those whose answers take a while, and CONNECT, come most often. */
const PIECES: readonly [Piece, ...Array<Piece>] = [
  (_, { forged }) => forged(),
  (_, { forged }) => forged(),
  (_, { forged }) => forged(),
  (_, { good }) => good(),
  connect,
  connect,
  connect,
  upgrade,
  upgrade,
  expecting,
  expecting,
  brokenChunks,
  brokenChunks,
  plain,
  plain,
  overlong,
  garbage,
  partial
]

const MOST_PIECES = 5

const cut = (chance: Chance, bytes: Buffer): ReadonlyArray<Buffer> => {
  if (bytes.length < 2 || chance.happens(0.5)) return [bytes]
  const at = 1 + chance.below(bytes.length - 1)
  return [bytes.subarray(0, at), ...cut(chance, bytes.subarray(at))].slice(0, 6)
}

export const pipelineOf = (chance: Chance, signed: Signed): Pipeline => {
  const count = 1 + chance.below(MOST_PIECES)
  const text = Array.from({ length: count }, () => chance.pick(PIECES)(chance, signed)).join("")
  return {
    toOperators: chance.happens(0.15),
    writes: cut(chance, Buffer.from(text, "latin1")),
    ending: chance.pick(["reset", "reset", "reset", "half-close", "half-close", "destroy", "linger"]),
    awaitsAnswer: chance.happens(0.3),
    bytesAfterEnd: chance.happens(0.3)
  }
}
