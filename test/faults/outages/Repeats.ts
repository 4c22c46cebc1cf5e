/** What clients repeat once their service was restored, and what may come of it: nothing but what they signed before, and nothing twice. */
import type { Hex } from "viem"
import { type Chance, chanceFrom } from "../crash/Chance.ts"
import { exchange, type Reply } from "../deploys/Exchange.ts"
import { creation, submission } from "../races/Kinds.ts"
import { hashOf, ready, setClocksAhead, transactionFor } from "../races/Signed.ts"
import type { Pursuit } from "./Pursuits.ts"
import { type Book, makeBook, makeSpeaker, type Relay, replayed, type Speak } from "./Relays.ts"
import type { Stage } from "./Restore.ts"

const REPLAYED = 8
const AHEAD_SECONDS = 30
/** Requests name whole seconds, and the mark is a little younger. */
const JUDGED_MILLIS = (AHEAD_SECONDS - 2) * 1_000
const ME = "/api/v1/accounts/me"

export const standing = (raw: Hex) => ({ hash: hashOf(raw) })

export interface Repeated {
  readonly violations: Readonly<Record<string, ReadonlyArray<string>>>
  readonly counts: Readonly<Record<string, number>>
}

const COUNTS = "SELECT hash, count FROM dispatch_leases"

const timesBy = async ({ arena }: Stage) => {
  const claims = new Map(
    (await arena.sql<{ hash: string; count: number }>(COUNTS)).map(row => [row.hash, Number(row.count)])
  )
  return new Map(
    [...arena.node.arrived.values()].map(({ hash, times }) => [
      hash,
      { times, claims: claims.get(hash) ?? 0 }
    ])
  )
}

const isTaken = ({ status }: Reply) => status < 300

/** The step as it was, by other bytes and by the same; the plan once more under its key, twice; the same bytes for what that gives. */
const repeat = async (stage: Stage, speak: Speak, relay: Relay, codes: Record<string, number>) => {
  const { owner, plan, raw, call, key, planKey } = relay
  const next = stage.arena.node.nextNonce(owner.key.address)
  const other = transactionFor(owner, call, next, 2_000_000_000n)
  const broken: Array<string> = []
  const refused = await speak(() => submission(owner, { id: plan }, other))
  if (isTaken(refused)) broken.push(`${plan} took other bytes than ${hashOf(raw)}`)
  const same = await speak(() => submission(owner, { id: plan }, raw, { key }))
  const name = `same bytes ${same.code ?? "taken"}`
  codes[name] = (codes[name] ?? 0) + 1
  await speak(() => ready(owner, { method: "POST", target: "/api/v1/accounts/enroll", body: {} }))
  const first = await speak(() => creation(owner, { key: planKey }))
  const second = await speak(() => creation(owner, { key: planKey }))
  const keys =
    isTaken(first) && isTaken(second) && first.body.id === second.body.id
      ? []
      : [`${planKey} led to ${first.body.id} and ${second.body.id}`]
  const anew = first.body.id
  if (anew !== undefined && anew !== plan) await speak(() => submission(owner, { id: anew }, raw))
  return { broken, keys, otherHash: hashOf(other) }
}

const revokedStayOut = async (speak: Speak, book: Book) => {
  const inside: Array<string> = []
  for (const bot of book.revoked) {
    const { code, status } = await speak(() => ready(bot, { method: "GET", target: ME }))
    if (code !== "FORBIDDEN") inside.push(`a bot that was revoked was answered ${code ?? status}`)
  }
  return inside
}

/** An honest clock's request is from before the mark's allowance, for half a minute; a slow machine may need longer to get here. */
const refusedFor = async (
  { markedAt }: Stage,
  address: string,
  book: Book
): Promise<ReadonlyArray<string>> => {
  const [relay] = book.relays
  if (relay === undefined || performance.now() > markedAt + JUDGED_MILLIS) return []
  setClocksAhead(0)
  const outcome = await exchange(address, ready(relay.owner, { method: "GET", target: ME }))
  setClocksAhead(AHEAD_SECONDS)
  const code = outcome.kind === "answered" ? outcome.reply.code : outcome.kind
  return code === "AUTH_EXPIRED" || code === "ACCOUNT_NOT_FOUND"
    ? []
    : [`a request that may be from before was answered ${code}`]
}

const slots = ({ arena }: Stage) => {
  const seen = new Set<string>()
  return [...arena.node.arrived.values()].flatMap(({ sender, nonce, hash }) => {
    const slot = `${sender}/${nonce}`
    const isTwice = seen.has(slot)
    seen.add(slot)
    return isTwice ? [`${hash} is a second one of ${slot}`] : []
  })
}

/** From before the mark; or of an account or under a grant that came after the backup, which nobody knows now. */
const REPLAY_REFUSALS = ["AUTH_EXPIRED", "ACCOUNT_NOT_FOUND", "FORBIDDEN"]

export const repeatAll = async (
  stage: Stage,
  book: Book,
  pursuit: Pursuit,
  chance: Chance
): Promise<Repeated> => {
  const { arena } = stage
  const again = makeBook()
  const addresses = () => stage.rotation.map(({ url }) => url)
  const address = () => addresses()[0] ?? ""
  const codes: Record<string, number> = {}
  const others: Array<string> = []
  const stepsBroken: Array<string> = []
  const keysBroken: Array<string> = []
  const before = await timesBy(stage)
  const early = await refusedFor(stage, address(), book)
  await replayed(book.accepted.slice(-REPLAYED), address, REPLAY_REFUSALS, again)
  const speak = makeSpeaker(addresses, chanceFrom(chance.below(1_000_000)), again)
  for (const relay of book.relays) {
    const { broken, keys, otherHash } = await repeat(stage, speak, relay, codes)
    stepsBroken.push(...broken)
    keysBroken.push(...keys)
    others.push(otherHash)
  }
  const after = await timesBy(stage)
  const unclaimed = [...after].flatMap(([hash, { times, claims }]) => {
    const was = before.get(hash) ?? { times: 0, claims: 0 }
    return times - was.times > claims - was.claims
      ? [`${hash} left ${times - was.times} times without a claim`]
      : []
  })
  return {
    violations: {
      "I1 one raw transaction per step": [
        ...stepsBroken,
        ...others
          .filter(hash => arena.node.arrived.has(hash))
          .map(hash => `${hash} left for a step that had another`)
      ],
      "I2 one step per nonce": slots(stage),
      "I4 each send has its claim": unclaimed,
      "I6 no request is accepted twice": [...again.broken, ...early],
      "I7 one outcome per key": keysBroken,
      "I9 what was revoked stays out": await revokedStayOut(speak, book),
      ...(await pursuit.repeated(speak))
    },
    counts: {
      ...codes,
      replays: again.counts.replays,
      revoked: book.revoked.length,
      repeated: book.relays.length
    }
  }
}
