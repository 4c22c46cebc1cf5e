/** Clients that relay while databases come and go, and what each was told: every wish is repeated under its key until it is answered. */
import type { Hex } from "viem"
import type { Signer } from "../../support/FastSign.ts"
import type { Chance } from "../crash/Chance.ts"
import { exchange, type Reply } from "../deploys/Exchange.ts"
import { type Arena, signerOf } from "../races/Arena.ts"
import type { Told } from "../races/Audit.ts"
import { creation, submission } from "../races/Kinds.ts"
import { hashOf, newKey, type Ready, ready, registration, transactionFor } from "../races/Signed.ts"

const BREATH_MILLIS = 40
/** Fewer requests than an account may send within the life of its nonces. */
const RELAYS_OF_AN_ACCOUNT = 60
const KEPT = 200
const REVOKED = 0.2

export const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

const PATIENCE_MILLIS = 180_000

/** On a machine that does much else meanwhile. */
export const eventually = async <A>(ask: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  const end = Date.now() + PATIENCE_MILLIS
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    if (Date.now() > end) throw new Error(`not in time: ${JSON.stringify(value)}`)
    await sleep(BREATH_MILLIS)
  }
}

/** One relay, as far as it got. */
export interface Relay {
  readonly owner: Signer
  readonly planKey: string
  readonly key: string
  readonly plan: string
  readonly raw: Hex
  readonly call: NonNullable<Reply["body"]["calls"]>[number]
  isTold: boolean
}

/** Nobody answers any more. */
class Over extends Error {}

export const makeBook = () => ({
  counts: { unanswered: 0, unavailable: 0, relays: 0, revoked: 0, replays: 0 },
  broken: [] as Array<string>,
  told: [] as Array<Told>,
  relays: [] as Array<Relay>,
  revoked: [] as Array<Signer>,
  /** Accepted with their nonces, newest last. */
  accepted: [] as Array<Ready>,
  /** When writes were answered, newest last. */
  writes: [] as Array<number>
})

export type Book = ReturnType<typeof makeBook>

export type Speak = (make: () => Ready) => Promise<Reply>

/** What a client tries again after. */
const isPassing = ({ status, code }: Reply): boolean => status >= 500 && code !== "INTERNAL_ERROR"

const kept = (book: Book, request: Ready, { status }: Reply) => {
  if (status >= 300) return
  if (request.init.method === "POST") book.writes.push(Date.now())
  book.accepted.push(request)
  if (book.accepted.length > KEPT) book.accepted.shift()
}

export const makeSpeaker =
  (addresses: () => ReadonlyArray<string>, chance: Chance, book: Book, isOver = () => false): Speak =>
  async make => {
    for (;;) {
      const all = addresses()
      const url = all[chance.below(all.length)]
      const request = make()
      const outcome = url === undefined ? undefined : await exchange(url, request)
      if (outcome?.kind === "answered" && !isPassing(outcome.reply)) {
        kept(book, request, outcome.reply)
        return outcome.reply
      }
      if (isOver()) throw new Over()
      book.counts[outcome?.kind === "answered" ? "unavailable" : "unanswered"]++
      await sleep(BREATH_MILLIS)
    }
  }

const hashIn = ({ body }: Reply) => body.plan?.steps[0]?.transaction?.hash

/** A claim whose process did not learn what became of it is over at once, so that nobody waits for its end. */
const untilSent = async ({ node, sql }: Arena, { plan, raw }: Relay, again: () => Promise<Reply>) => {
  while (!node.arrived.has(hashOf(raw))) {
    await sleep(BREATH_MILLIS * 5)
    await sql(
      "UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1 AND outcome IS DISTINCT FROM 'submitted'",
      [plan]
    )
    const { status, code } = await again()
    if (status >= 300) return `${plan} was admitted, and ${code} when it was sent again`
  }
  return undefined
}

/** One whose answer came before what it ended has nothing to say any more. */
const revokedStaysOut = async (owner: Signer, speak: Speak, book: Book) => {
  const bot = signerOf(`bot ${newKey()}`)
  const registered = await speak(() => registration(owner, bot.key))
  const grantId = registered.body.bot?.id
  if (grantId === undefined) return
  const target = `/api/v1/accounts/me/bots/${grantId}`
  const revoked = await speak(() => ready(owner, { method: "DELETE", target }))
  if (revoked.status >= 300) return
  const asBot: Signer = { ...owner, key: bot.key, grantId }
  const asked = await speak(() => ready(asBot, { method: "GET", target: "/api/v1/accounts/me" }))
  book.counts.revoked++
  book.revoked.push(asBot)
  if (asked.code !== "FORBIDDEN") book.broken.push(`a revoked bot was answered ${asked.code ?? asked.status}`)
}

const relayOnce = async (arena: Arena, owner: Signer, speak: Speak, { book, linger }: Living) => {
  const planKey = newKey()
  const created = await speak(() => creation(owner, { key: planKey }))
  const { id = "", calls } = created.body
  const call = calls?.[0]
  if (call === undefined) return void book.broken.push(`a plan was refused: ${created.code}`)
  const raw = transactionFor(owner, call, arena.node.nextNonce(owner.key.address))
  const key = newKey()
  const relay: Relay = { owner, planKey, key, plan: id, raw, call, isTold: false }
  book.relays.push(relay)
  await linger?.()
  const submitted = await speak(() => submission(owner, { id }, raw, { key }))
  if (hashIn(submitted) !== hashOf(raw))
    return void book.broken.push(`a submission ended with ${submitted.code ?? hashIn(submitted)}`)
  book.told.push({ hash: hashOf(raw), plan: id, step: 0 })
  relay.isTold = true
  const fault = await untilSent(arena, relay, () =>
    speak(() => submission(owner, { id }, raw, { key: newKey() }))
  )
  if (fault !== undefined) book.broken.push(fault)
  book.counts.relays++
}

/** What else a client does now and then. */
export type Pastime = (speak: Speak) => Promise<void>

export interface Living {
  readonly book: Book
  readonly chance: Chance
  readonly label: string
  readonly pastime?: Pastime
  /** How likely that is before each relay. */
  readonly pastimeShare?: number
  /** Between a plan and its submission. */
  readonly linger?: () => Promise<void>
}

export interface Load {
  /** Once each client is through with what it does. */
  readonly stop: () => Promise<void>
}

export const startLoad = (
  arena: Arena,
  clients: number,
  speakerOf: (index: number) => Speak,
  living: Living
): Load => {
  const { book, chance, label, pastime, pastimeShare = 0.2 } = living
  let isOn = true
  const live = async (index: number) => {
    const speak = speakerOf(index)
    for (let life = 0; isOn; life++) {
      const owner = signerOf(`${label}/${index}/${life}`)
      await speak(() => ready(owner, { method: "POST", target: "/api/v1/accounts/enroll", body: {} }))
      for (let relay = 0; isOn && relay < RELAYS_OF_AN_ACCOUNT; relay++) {
        if (chance.happens(REVOKED)) await revokedStaysOut(owner, speak, book)
        if (chance.happens(pastimeShare)) await pastime?.(speak)
        await relayOnce(arena, owner, speak, living)
      }
    }
  }
  /** What a database that is lost under it leaves open is repeated later. */
  const untilOver = (index: number) =>
    live(index).catch(failure => {
      if (!(failure instanceof Over)) throw failure
    })
  const all = Promise.all(Array.from({ length: clients }, (_, index) => untilOver(index)))
  all.catch(() => {})
  return {
    stop: async () => {
      isOn = false
      await all
    }
  }
}

/** What was accepted before is accepted by nobody any more. */
export const replayed = async (
  requests: ReadonlyArray<Ready>,
  address: () => string,
  refusals: ReadonlyArray<string>,
  book: Book
) => {
  for (const request of requests) {
    const outcome = await exchange(address(), request)
    if (outcome.kind !== "answered") continue
    book.counts.replays++
    const { code, status } = outcome.reply
    if (status < 500 && !refusals.includes(code ?? ""))
      book.broken.push(`a request was accepted twice: ${request.target} ${code ?? status}`)
  }
}
