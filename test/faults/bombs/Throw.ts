/** Sends a bomb on a connection of its own, signed as its sender signs. */
import { assert } from "vitest"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import { fastHeaders, namedOwner, type Signer } from "../../support/FastSign.ts"
import { openRaw, type RawAnswer } from "../../support/HttpRaw.ts"
import { CHAIN, type ServiceProcess } from "../../support/ServiceProcess.ts"
import type { Bomb, Sender } from "./Bombs.ts"

/** Nobody's node is asked about its accounts. */
const UNKNOWN_CHAIN = 10
const REQUESTS_OF_AN_OWNER = 400

type Headers = ReadonlyArray<readonly [string, string]>

const crlf = (lines: ReadonlyArray<string>): string => lines.join("\r\n")

const FRAME = "1\r\n \r\n"
const BYTE_AT = FRAME.indexOf(" ")
const END = "0\r\n\r\n"

const chunked = (body: Buffer): Buffer => {
  const frames = Buffer.alloc(body.length * FRAME.length, FRAME)
  for (const [index, byte] of body.entries()) frames[index * FRAME.length + BYTE_AT] = byte
  return Buffer.concat([frames, Buffer.from(END)])
}

const framed = ({ body, inPieces }: Bomb): { readonly headers: Headers; readonly bytes: Buffer } => {
  if (body === undefined) return { headers: [], bytes: Buffer.alloc(0) }
  const bytes = Buffer.from(body)
  return inPieces
    ? { headers: [["Transfer-Encoding", "chunked"]], bytes: chunked(bytes) }
    : { headers: [["Content-Length", String(bytes.length)]], bytes }
}

const has = (headers: Headers, name: string): boolean =>
  headers.some(([given]) => given.toLowerCase() === name.toLowerCase())

/** What the bomb says of a header stands alone. */
const headOf = (bomb: Bomb, signed: Headers, framing: Headers): string => {
  const own = [["Host", "service.test"] as const, ...signed, ...framing].filter(
    ([name]) => !has(bomb.headers, name)
  )
  const lines = [...own, ...bomb.headers].map(([name, value]) => `${name}: ${value}`)
  return crlf([`${bomb.method} ${bomb.target} HTTP/1.1`, ...lines, "", ""])
}

export type Throw = (bomb: Bomb) => Promise<RawAnswer | undefined>

export const throwing = (service: ServiceProcess, seed: number): Throw => {
  let sent = 0
  let enrolled: Signer | undefined

  const speak = async (head: string, body: Buffer): Promise<RawAnswer | undefined> => {
    const connection = openRaw(service.url)
    connection.write(head)
    connection.write(body)
    const [answer] = await connection.answers(1)
    connection.socket.destroy()
    return answer
  }

  const signing = (bomb: Pick<Bomb, "method" | "target" | "body">) => ({
    audience: service.audience,
    method: bomb.method,
    target: bomb.target,
    idempotencyKey: `bomb-${seed}-${sent}`,
    ...(bomb.body === undefined ? {} : { body: bomb.body, contentType: "application/json" })
  })

  const enrol = async (): Promise<Signer> => {
    const owner = namedOwner(`bombs ${seed} ${sent}`, CHAIN)
    const bomb = { method: "POST", target: "/api/v1/accounts/enroll", body: "{}" }
    const answer = await fetch(`${service.url}${bomb.target}`, {
      method: bomb.method,
      body: bomb.body,
      headers: fastHeaders(owner, signing(bomb))
    })
    assert.strictEqual(answer.status, 200, await answer.text())
    return owner
  }

  const signer = async (sender: Sender): Promise<Signer> => {
    if (sender !== "enrolled") return namedOwner(`${sender} ${seed} ${sent}`, UNKNOWN_CHAIN)
    if (enrolled === undefined || sent % REQUESTS_OF_AN_OWNER === 0) enrolled = await enrol()
    return enrolled
  }

  const signed = async (bomb: Bomb): Promise<Headers> => {
    const type: Headers = bomb.body === undefined ? [] : [["Content-Type", "application/json"]]
    if (bomb.sender === "unsigned") return type
    const headers = fastHeaders(await signer(bomb.sender), signing(bomb))
    return Object.entries(
      bomb.sender === "forged" ? { ...headers, "X-Service-Nonce": freshNonce(realSystem) } : headers
    )
  }

  return async bomb => {
    sent++
    const { headers, bytes } = framed(bomb)
    return speak(headOf(bomb, await signed(bomb), headers), bytes)
  }
}
