/** The only way to a node in runs that count what left: records every call before passing it on, and breaks on request. */
import { appendFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Effect, type Scope } from "effect"
import { keccak256 } from "../../src/values/Keccak.ts"
import { keptOpen } from "./KeptOpen.ts"
import { close, listen } from "./Listening.ts"
import { answerFaultily, answerJson, type WireFault } from "./WireFaults.ts"

export interface ProxyRecord {
  /** Position in the order of arrival. */
  readonly order: number
  readonly at: number
  readonly method: string
  /** Calls of one HTTP request share this number. */
  readonly roundTrip: number
  /** Whether the node gets to see it. */
  readonly forwarded: boolean
  /** Set for raw transactions alone. */
  readonly raw?: { readonly bytes: string; readonly hash: string }
  /** Set for the sendings of user operations alone: what the bundler was asked to carry. */
  readonly operation?: unknown
}

/** What happens to the next requests that carry the method. */
export interface ProxyFault {
  readonly method: string
  /** How many requests are hit; the default is one. */
  readonly times?: number
  /** Requests that carry the method and do not fit are left alone. */
  readonly within?: (calls: ReadonlyArray<Question>) => boolean
  /** `before`: the node never sees the request. `after`: it did, and only its answer suffers. */
  readonly phase: "before" | "after"
  readonly act:
    | WireFault
    | { readonly kind: "delay"; readonly millis: number }
    /** The request, or with `after` the node's answer, is kept back until it is released. In this process only. */
    | { readonly kind: "hold"; readonly reached: () => void; readonly released: Promise<void> }
    /** With `before`: the node is said to have accepted a transaction that it never saw. */
    | { readonly kind: "drop" }
    /** The result of the call is replaced: a lying hash, a missing block. */
    | { readonly kind: "result"; readonly result: unknown }
    /** Each of the node's results is told differently, e.g. of the head alone; undefined leaves it. In this process only. */
    | {
        readonly kind: "rewrite"
        readonly rewrite: (call: Question, result: unknown) => unknown
      }
    /** In the place of each answer to the method, or of those told. */
    | {
        readonly kind: "error"
        readonly code: number
        readonly message: string
        readonly to?: (call: Question) => boolean
      }
}

export interface RecordingProxyOptions {
  readonly upstream: string
  readonly port?: number
  /** Each record is also appended here as one JSON line before anything else happens. */
  readonly file?: string
}

export interface RecordingProxy {
  readonly url: string
  readonly records: ReadonlyArray<ProxyRecord>
  /** The raw transactions that left, oldest first. */
  readonly sent: () => ReadonlyArray<
    ProxyRecord & { readonly raw: { readonly bytes: string; readonly hash: string } }
  >
  readonly roundTrips: () => number
  readonly fault: (fault: ProxyFault) => void
  readonly clearFaults: () => void
  readonly stop: () => Promise<void>
}

export interface Question {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** Takes a fault as JSON, or null to forget all of them. */
export const CONTROL_PATH = "/faults"

const SEND = "eth_sendRawTransaction"
const SEND_OPERATION = "eth_sendUserOperation"

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const questionOf = (value: unknown): Question => {
  const params = member(value, "params")
  return {
    id: member(value, "id"),
    method: String(member(value, "method")),
    params: Array.isArray(params) ? params : []
  }
}

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const rawOf = ({ params }: Question) => {
  const bytes = String(params[0])
  return { bytes, hash: keccak256(Buffer.from(bytes.slice(2), "hex")) }
}

const makeRecorder = (file: string | undefined) => {
  const records: Array<ProxyRecord> = []
  if (file) writeFileSync(file, "", { flag: "a" })
  const record = (question: Question, roundTrip: number, forwarded: boolean) => {
    const { method } = question
    const raw = method === SEND ? { raw: rawOf(question) } : {}
    const operation = method === SEND_OPERATION ? { operation: question.params[0] } : {}
    const entry = {
      order: records.length,
      at: performance.timeOrigin + performance.now(),
      method,
      roundTrip,
      forwarded,
      ...raw,
      ...operation
    }
    if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`)
    records.push(entry)
  }
  return { records, record }
}

const makeFaults = () => {
  let pending: ReadonlyArray<{ readonly fault: ProxyFault; left: number }> = []
  const take = (questions: ReadonlyArray<Question>): ProxyFault | undefined => {
    const hit = pending.find(
      ({ fault, left }) =>
        left > 0 &&
        questions.some(({ method }) => method === fault.method) &&
        (fault.within?.(questions) ?? true)
    )
    if (hit) hit.left--
    return hit?.fault
  }
  const add = (fault: ProxyFault) => {
    pending = [...pending.filter(({ left }) => left > 0), { fault, left: fault.times ?? 1 }]
  }
  const clear = () => {
    pending = []
  }
  return { take, add, clear }
}

const passesOn = (fault: ProxyFault | undefined): boolean =>
  fault?.phase !== "before" || fault.act.kind === "delay" || fault.act.kind === "hold"

/** Faults that come over HTTP, for a proxy in a process of its own. */
const isFault = (value: unknown): value is ProxyFault =>
  typeof member(value, "method") === "string" &&
  ["before", "after"].includes(String(member(value, "phase"))) &&
  typeof member(member(value, "act"), "kind") === "string"

const forward = async (upstream: string, body: string): Promise<string> => {
  const answer = await fetch(upstream, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body
  })
  return answer.text()
}

/** The node's answer with the faulty call's part replaced. */
const replaced = (
  answer: string,
  questions: ReadonlyArray<Question>,
  { method, act }: ProxyFault
): string => {
  const swap = (envelope: unknown) => {
    const id = member(envelope, "id")
    const hit = questions.find(question => question.id === id)
    if (hit === undefined) return envelope
    if (act.kind === "rewrite") {
      const result = act.rewrite(hit, member(envelope, "result"))
      return result === undefined ? envelope : { jsonrpc: "2.0", id, result }
    }
    if (hit.method !== method) return envelope
    if (act.kind === "result") return { jsonrpc: "2.0", id, result: act.result }
    if (act.kind === "error" && act.to?.(hit) === false) return envelope
    return { jsonrpc: "2.0", id, error: act.kind === "error" ? { code: act.code, message: act.message } : {} }
  }
  const parsed: unknown = JSON.parse(answer)
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(swap) : swap(parsed))
}

/** What a node that was never asked is said to have answered. */
const unanswered = (text: string, questions: ReadonlyArray<Question>): string => {
  const made = questions.map(question => ({
    jsonrpc: "2.0",
    id: question.id,
    result: question.method === SEND ? rawOf(question).hash : null
  }))
  return JSON.stringify(text.trimStart().startsWith("[") ? made : made[0])
}

const keptBack = async (act: ProxyFault["act"] | undefined) => {
  if (act?.kind === "delay") await setTimeout(act.millis)
  if (act?.kind !== "hold") return
  act.reached()
  await act.released
}

const serve = async (
  response: ServerResponse,
  upstream: string,
  text: string,
  questions: ReadonlyArray<Question>,
  fault: ProxyFault | undefined
) => {
  const { act, phase } = fault ?? {}
  if (phase === "before") await keptBack(act)
  const answer = passesOn(fault) ? await forward(upstream, text) : unanswered(text, questions)
  if (phase === "after") await keptBack(act)
  if (!fault || !act || act.kind === "delay" || act.kind === "hold" || act.kind === "drop")
    return answerJson(response, answer)
  if (act.kind === "result" || act.kind === "error" || act.kind === "rewrite")
    return answerJson(response, replaced(answer, questions, fault))
  return answerFaultily(response, answer, act)
}

export const startRecordingProxy = async (options: RecordingProxyOptions): Promise<RecordingProxy> => {
  const { records, record } = makeRecorder(options.file)
  const faults = makeFaults()
  let roundTrips = 0
  const relay = async (response: ServerResponse, text: string) => {
    const parsed: unknown = JSON.parse(text)
    const questions = (Array.isArray(parsed) ? parsed : [parsed]).map(questionOf)
    const roundTrip = ++roundTrips
    const fault = faults.take(questions)
    for (const question of questions) record(question, roundTrip, passesOn(fault))
    await serve(response, options.upstream, text, questions, fault)
  }
  const control = (response: ServerResponse, text: string) => {
    const fault: unknown = JSON.parse(text)
    if (fault === null) faults.clear()
    else if (isFault(fault)) faults.add(fault)
    else return response.writeHead(400).end()
    return answerJson(response, "{}")
  }
  const server = createServer(keptOpen, async (request, response) => {
    const text = await readText(request)
    if (request.url === CONTROL_PATH) return control(response, text)
    await relay(response, text).catch(() => response.destroy())
  })
  const port = await listen(server, options.port ?? 0)
  const stop = () => close(server)
  return {
    url: `http://127.0.0.1:${port}`,
    records,
    sent: () => records.flatMap(entry => (entry.raw ? [{ ...entry, raw: entry.raw }] : [])),
    roundTrips: () => roundTrips,
    fault: faults.add,
    clearFaults: faults.clear,
    stop
  }
}

export const recordingProxy = (
  options: RecordingProxyOptions
): Effect.Effect<RecordingProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startRecordingProxy(options)),
    proxy => Effect.promise(proxy.stop)
  )
