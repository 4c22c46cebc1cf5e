/** What `doctor --restored` compares: a database that was brought back from a backup, and chains that went on. */
import { type Check, degradedCheck, failed, ok } from "./Checks.ts"
import { explain } from "./Explain.ts"
import type { Rpc } from "./Rpc.ts"
import {
  carriedOperations,
  executedRequests,
  ownTransactions,
  summary,
  unconfirmed
} from "./restored/Differences.ts"
import {
  blocksSince,
  carriedOf,
  executionsOf,
  includedOf,
  type Range,
  transactionsOf
} from "./restored/Seen.ts"
import { sessionChecks } from "./restored/Sessions.ts"
import { openRestored, type RestoredDatabase, type Stored } from "./restored/Stored.ts"

/** Clocks of blocks and of the database may differ by so much. */
const MARGIN_SECONDS = 60

export interface Restored {
  readonly database: string
  readonly nodes: ReadonlyArray<Rpc>
  /** Milliseconds; by default the time of what is stored last. */
  readonly since: number | undefined
  readonly marks: boolean
  readonly keepsGrants: boolean
}

const time = (millis: number): string => new Date(millis).toISOString()

const of = <A extends { readonly chainId: number }>(items: ReadonlyArray<A>, chainId: number) =>
  items.filter(item => item.chainId === chainId)

/** A node that gives no events hides nothing else. */
const unlessUnread = (checks: () => Promise<ReadonlyArray<Check>>): Promise<ReadonlyArray<Check>> =>
  checks().catch(failure => [failed("events", explain(failure).message)])

/** What left through contracts. */
const byEvents = async (rpc: Rpc, range: Range, chainId: number, stored: Stored) => {
  const requests = of(stored.requests, chainId)
  const operations = of(stored.operations, chainId)
  const wallets = of(stored.wallets, chainId)
  const checks: Array<Check> = []
  const signers = [...new Set([...stored.senders, ...requests.map(({ signer }) => signer)])]
  checks.push(
    ...(await unlessUnread(async () => executedRequests(await executionsOf(rpc, range, signers), requests)))
  )
  const senders = [
    ...new Set([...operations.map(({ sender }) => sender), ...wallets.map(({ address }) => address)])
  ]
  checks.push(
    ...(await unlessUnread(async () => carriedOperations(await carriedOf(rpc, range, senders), operations)))
  )
  return [...checks, ...(await sessionChecks(rpc, wallets, stored.permissions))]
}

const ofChain = async (
  rpc: Rpc,
  chainId: number,
  stored: Stored,
  since: number
): Promise<ReadonlyArray<Check>> => {
  const range = await blocksSince(rpc, Math.floor(since / 1000) - MARGIN_SECONDS)
  const bound = of(stored.bound, chainId)
  const following = bound.filter(({ observed }) => observed !== "confirmed" && observed !== "reverted")
  const included = await includedOf(
    rpc,
    following.map(({ hash }) => hash)
  )
  const seen = await transactionsOf(rpc, range, new Set(stored.senders))
  const differences = [
    ...ownTransactions(seen, of(stored.open, chainId), bound),
    ...unconfirmed(bound, included),
    ...(await byEvents(rpc, range, chainId, stored))
  ]
  return [...differences, summary(chainId, differences, range.to - range.from + 1)]
}

const marked = async (database: RestoredDatabase, keepsGrants: boolean): Promise<Check> => {
  const { at, after, plans, grants } = await database.mark(keepsGrants)
  return ok(
    "mark",
    `restored at ${time(at)}: ${plans} plans and ${grants} grants of bots ended, and requests issued until ${time(after * 1000)} are refused`
  )
}

const UNMARKED = "no service may be started on it before --mark"

const markOf = ({ restoredAt, behindSince }: Stored): Check => {
  if (behindSince !== null && behindSince > (restoredAt ?? 0))
    return failed(
      "mark",
      `a process of the service noticed at ${time(behindSince)} that this database lost what it had committed, and no mark says so since: stop every process; ${UNMARKED}`
    )
  return restoredAt === null
    ? failed("mark", `this database is not marked as restored: ${UNMARKED}`)
    : ok("mark", `restored at ${time(restoredAt)}`)
}

const notCompared = (
  { open, bound, requests, operations, wallets }: Stored,
  asked: ReadonlySet<number>
): ReadonlyArray<Check> => {
  const known = [open, bound, requests, operations, wallets].flat().map(({ chainId }) => chainId)
  return [...new Set(known)]
    .filter(chainId => !asked.has(chainId))
    .toSorted((a, b) => a - b)
    .map(chainId => degradedCheck(`chain ${chainId}`, "not compared: give --rpc with a node of it too"))
}

const compared = async (
  { nodes, since, marks, keepsGrants }: Restored,
  database: RestoredDatabase
): Promise<ReadonlyArray<Check>> => {
  const made = marks ? await marked(database, keepsGrants) : undefined
  const stored = await database.stored()
  const from = since ?? stored.newest
  const asked = new Set<number>()
  const lookAt = async (rpc: Rpc) => {
    const chainId = Number(await rpc.call("eth_chainId"))
    asked.add(chainId)
    return ofChain(rpc, chainId, stored, from)
  }
  const chains = await Promise.all(
    nodes.map(rpc => lookAt(rpc).catch(failure => [failed("node", explain(failure).message)]))
  )
  return [made ?? markOf(stored), ok("since", time(from)), ...chains.flat(), ...notCompared(stored, asked)]
}

export const restoredChecks = async (asked: Restored): Promise<ReadonlyArray<Check>> => {
  const database = await openRestored(asked.database)
  try {
    return await compared(asked, database)
  } finally {
    await database.close()
  }
}
