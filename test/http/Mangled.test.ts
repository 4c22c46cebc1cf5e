/** S7: valid requests with a piece cut, doubled or put in by chance: every answer is whole, and the service goes on. */
import fc from "fast-check"
import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { openRaw, type RawAnswer, rawRequest } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedInit } from "../support/SignedFetch.ts"

const RUNS = 300
const SEED = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31)
const ME = "/api/v1/accounts/me"

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)
const read = await signedInit(service, owner, "GET", ME)
const write = await signedInit(service, owner, "PATCH", ME, { body: { bio: "a" } })
const originals = [
  rawRequest("GET", "/api/v1/capabilities"),
  rawRequest("GET", ME, read.headers),
  rawRequest("PATCH", ME, { ...write.headers, "Content-Length": "11" }, '{"bio":"a"}'),
  rawRequest(
    "PATCH",
    ME,
    { ...write.headers, "Transfer-Encoding": "chunked" },
    'b\r\n{"bio":"a"}\r\n0\r\n\r\n'
  )
]

afterAll(() => service.stop())

const piece = fc.constantFrom(
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  "\t",
  ":",
  ";",
  ",",
  "%00",
  "/../",
  "//",
  "#",
  "?",
  "\u00ff",
  "Content-Length: 5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: xchunked\r\n",
  "Host: b\r\n",
  " folded\r\n",
  "Expect: 100-continue\r\n",
  "Connection: close\r\n",
  "Upgrade: websocket\r\nConnection: upgrade\r\n",
  "X-Service-Nonce: 0x00\r\n",
  "HTTP/1.1",
  "GET / HTTP/1.1\r\n\r\n",
  "a".repeat(40_000)
)

const edit = fc.record({
  kind: fc.constantFrom("insert", "cut", "double"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(30),
  piece
})

type Edit = typeof edit extends fc.Arbitrary<infer Made> ? Made : never

const edited = (text: string, { kind, at, length, piece }: Edit): string => {
  const from = Math.floor(at * text.length)
  if (kind === "insert") return text.slice(0, from) + piece + text.slice(from)
  if (kind === "cut") return text.slice(0, from) + text.slice(from + length)
  return text.slice(0, from + length) + text.slice(from)
}

const isWhole = (answer: RawAnswer) => {
  if (answer.status < 400) return assert.isTrue(answer.headers.has("x-request-id"))
  assert.isBelow(answer.status, 500, answer.body)
  return void rawProblem(answer)
}

/** Ends its own side after the bytes, so that nobody waits for what is missing. */
const send = async (bytes: string): Promise<ReadonlyArray<RawAnswer>> => {
  const connection = openRaw(service.url)
  connection.socket.write(bytes, "latin1")
  connection.socket.end()
  await connection.ended
  return connection.answers(0)
}

describe(`mangled requests, seed ${SEED}`, () => {
  it(`${RUNS} of them`, { timeout: 120_000 }, async () => {
    const made = fc.tuple(fc.nat(3), fc.array(edit, { minLength: 1, maxLength: 3 }))
    await fc.assert(
      fc.asyncProperty(made, async ([which, edits]) => {
        const answers = await send(edits.reduce(edited, originals[which] ?? ""))
        answers.forEach(isWhole)
      }),
      { numRuns: RUNS, seed: SEED }
    )
    assert.strictEqual((await fetch(`${service.url}/api/v1`)).status, 200)
  })
})
