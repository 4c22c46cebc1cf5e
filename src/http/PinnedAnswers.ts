/** Keeps answers of pinned data as bytes, with a strong tag for each encoding, and answers conditional requests. */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { type Answer, prepared } from "./Answer.ts"
import type { Exchange } from "./Exchange.ts"

const ANSWERS_KEPT = 2_000
const BYTES_KEPT = 64 * 1024 * 1024
const WORTH_COMPRESSING_BYTES = 256
const SCRIPT_BYTES = 64 * 1024
const CACHE_CONTROL = "public, max-age=60, must-revalidate"
/** No client's own lists are longer; reading one that is costs more than the answer. */
const ENCODINGS_CHARACTERS = 256
const TAGS_CHARACTERS = 1_024

type Encoding = "br" | "gzip" | "identity"

export interface PinnedAnswer {
  readonly route: string | undefined
  readonly status: number
  readonly headers: Answer["headers"]
  readonly body: Uint8Array
  readonly tag: string
  readonly encoded: Map<Encoding, Answer>
  /** Whose end is waited for. */
  readonly begun: Map<Encoding, Promise<Answer>>
  /** Of the body, and of all that it was encoded to. */
  bytes: number
  /** Since it was last its turn to be forgotten. */
  isUsed: boolean
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Scripts are few and the same for everybody: what makes them smaller is done once or twice in a process's life. */
const qualityFor = ({ headers, body }: PinnedAnswer): number =>
  body.length <= SCRIPT_BYTES && headers["content-type"]?.startsWith("text/javascript") ? 10 : 6

const compressed = (pinned: PinnedAnswer, encoding: Encoding): Promise<Uint8Array> =>
  encoding === "br"
    ? brotli(pinned.body, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityFor(pinned) } })
    : zip(pinned.body)

const accepts = (accepted: string, encoding: Encoding): boolean => {
  const item = accepted.split(",").find(part => part.trim().split(";")[0]?.trim() === encoding)
  return item !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(item)
}

const single = (value: string | ReadonlyArray<string> | undefined): string => String(value ?? "")

const chosenEncoding = (exchange: Exchange, size: number): Encoding => {
  const asked = single(exchange.request.headers["accept-encoding"])
  if (size < WORTH_COMPRESSING_BYTES || asked.length > ENCODINGS_CHARACTERS) return "identity"
  const accepted = asked.toLowerCase()
  if (accepts(accepted, "br")) return "br"
  return accepts(accepted, "gzip") ? "gzip" : "identity"
}

const pin = (route: string | undefined, answer: Answer): PinnedAnswer => {
  const body = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body
  const tag = createHash("sha256").update(body).digest("base64url").slice(0, 27)
  const { status, headers } = answer
  return { route, status, headers, body, tag, encoded: new Map(), begun: new Map(), bytes: 0, isUsed: false }
}

const tagFor = (tag: string, encoding: Encoding) => `"${tag}${encoding === "identity" ? "" : `-${encoding}`}"`

const encode = async (pinned: PinnedAnswer, encoding: Encoding): Promise<Answer> => {
  const headers = {
    ...pinned.headers,
    etag: tagFor(pinned.tag, encoding),
    "cache-control": CACHE_CONTROL,
    vary: "Accept-Encoding"
  }
  const { status, body } = pinned
  return encoding === "identity"
    ? { status, headers, body }
    : {
        status,
        headers: { ...headers, "content-encoding": encoding },
        body: await compressed(pinned, encoding)
      }
}

const encodeOnce = (pinned: PinnedAnswer, encoding: Encoding): Promise<Answer> => {
  const begun =
    pinned.begun.get(encoding) ?? encode(pinned, encoding).finally(() => pinned.begun.delete(encoding))
  pinned.begun.set(encoding, begun)
  return begun
}

const matchesTag = (exchange: Exchange, etag: string): boolean => {
  const asked = exchange.request.headers["if-none-match"]
  return (
    asked !== undefined &&
    asked.length <= TAGS_CHARACTERS &&
    (asked.trim() === "*" || asked.split(",").some(tag => tag.trim().replace(/^W\//, "") === etag))
  )
}

const conditional = (exchange: Exchange, answer: Answer): Answer =>
  matchesTag(exchange, answer.headers.etag ?? "")
    ? { status: 304, headers: answer.headers, body: "" }
    : answer

interface Aged {
  readonly size: number
  readonly keys: () => Iterable<string>
  readonly delete: (key: string) => boolean
}

const forgetOldest = (all: Aged): void => {
  const [oldest] = all.keys()
  if (all.size > ANSWERS_KEPT && oldest !== undefined) all.delete(oldest)
}

export class PinnedAnswers {
  private readonly kept = new Map<string, PinnedAnswer>()
  /** By the targets that they were asked for by: one thing can be spelled in many ways. */
  private readonly keys = new Map<string, string>()
  private readonly askedOnce = new Set<string>()
  private bytes = 0
  private edition: number
  private readonly latest: () => number

  /** `latest` rises where what is pinned was replaced. */
  constructor(latest: () => number = () => 0) {
    this.latest = latest
    this.edition = latest()
  }

  /** The answer for this exchange where its target was answered before. */
  ready(exchange: Exchange): Answer | undefined {
    this.forgetReplaced()
    const key = this.keys.get(exchange.target)
    const pinned = key === undefined ? undefined : this.kept.get(key)
    if (pinned === undefined) return undefined
    exchange.route = pinned.route
    pinned.isUsed = true
    const answer = pinned.encoded.get(chosenEncoding(exchange, pinned.body.length))
    return answer === undefined ? undefined : conditional(exchange, answer)
  }

  /** The answer to the same question, however its target spells it. */
  known(exchange: Exchange, key: string): Effect.Effect<Answer> | undefined {
    this.forgetReplaced()
    const pinned = this.kept.get(key)
    if (pinned === undefined) return undefined
    pinned.isUsed = true
    this.spelled(exchange.target, key)
    return this.encoded(exchange, key, pinned)
  }

  /** Keeps what is asked a second time: most searches never are, and bytes that outlive their answer cost collections. */
  keep(exchange: Exchange, key: string, answer: Answer): Effect.Effect<Answer> {
    return this.known(exchange, key) ?? this.encoded(exchange, key, this.pinned(exchange, key, answer))
  }

  private encoded(exchange: Exchange, key: string, pinned: PinnedAnswer): Effect.Effect<Answer> {
    const encoding = chosenEncoding(exchange, pinned.body.length)
    const made = pinned.encoded.get(encoding)
    if (made !== undefined) return Effect.succeed(conditional(exchange, made))
    return Effect.map(
      Effect.promise(() => encodeOnce(pinned, encoding)),
      answer => {
        const encoded = prepared(exchange, answer)
        if (encoding !== "identity" && !pinned.encoded.has(encoding))
          this.grow(key, pinned, encoded.body.length)
        pinned.encoded.set(encoding, encoded)
        return conditional(exchange, encoded)
      }
    )
  }

  private askedBefore(key: string): boolean {
    if (this.askedOnce.delete(key)) return true
    this.askedOnce.add(key)
    forgetOldest(this.askedOnce)
    return false
  }

  private spelled(target: string, key: string): void {
    this.keys.set(target, key)
    forgetOldest(this.keys)
  }

  private forgetReplaced(): void {
    const latest = this.latest()
    if (latest === this.edition) return
    this.edition = latest
    this.kept.clear()
    this.keys.clear()
    this.bytes = 0
  }

  private pinned(exchange: Exchange, key: string, answer: Answer): PinnedAnswer {
    const made = pin(exchange.route, answer)
    if (!this.askedBefore(key)) return made
    this.kept.set(key, made)
    this.spelled(exchange.target, key)
    this.grow(key, made, made.body.length)
    return made
  }

  /** The oldest goes first, but for what was asked for since it was last its turn. */
  private grow(key: string, pinned: PinnedAnswer, by: number): void {
    if (this.kept.get(key) !== pinned) return
    pinned.bytes += by
    this.bytes += by
    for (const [oldest, its] of this.kept) {
      if (this.kept.size <= ANSWERS_KEPT && this.bytes <= BYTES_KEPT) return
      this.kept.delete(oldest)
      if (its === pinned || its.isUsed) this.kept.set(oldest, its)
      else this.bytes -= its.bytes
      its.isUsed = false
    }
  }
}
