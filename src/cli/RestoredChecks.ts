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
import { markOf, sinceOf, timeText } from "./restored/Moments.ts"
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
  /** Milliseconds. */
  readonly since: number | undefined
  readonly marks: boolean
  readonly keepsGrants: boolean
  /** Progress. */
  readonly note?: ((line: string) => void) | undefined
}

const blocksIn = ({ from, to }: Range): number => to - from + 1

const of = <A extends { readonly chainId: number }>(items: ReadonlyArray<A>, chainId: number) =>
  items.filter(item => item.chainId === chainId)

/** What a node does not give hides nothing else. */
const unlessUnread = (
  name: string,
  checks: () => Promise<ReadonlyArray<Check>>
): Promise<ReadonlyArray<Check>> => checks().catch(failure => [failed(name, explain(failure).message)])

interface Look extends Pick<Restored, "note"> {
  readonly rpc: Rpc
  readonly chainId: number
  readonly stored: Stored
}

/** What left through contracts. */
const byEvents = async ({ rpc, chainId, stored }: Look, range: Range): Promise<ReadonlyArray<Check>> => {
  const requests = of(stored.requests, chainId)
  const operations = of(stored.operations, chainId)
  const wallets = of(stored.wallets, chainId)
  const signers = [...new Set([...stored.senders, ...requests.map(({ signer }) => signer)])]
  const senders = [
    ...new Set([...operations.map(({ sender }) => sender), ...wallets.map(({ address }) => address)])
  ]
  const executed = async () => executedRequests(await executionsOf(rpc, range, signers), requests)
  const carried = async () => carriedOperations(await carriedOf(rpc, range, senders), operations)
  return [...(await unlessUnread("events", executed)), ...(await unlessUnread("events", carried))]
}

/** What wallets sent by themselves. */
const byBlocks = async (
  { rpc, chainId, stored, note }: Look,
  range: Range
): Promise<ReadonlyArray<Check>> => {
  const tell = (done: number) => note?.(`chain ${chainId}: ${done} of ${blocksIn(range)} blocks looked at`)
  const seen = await transactionsOf(rpc, range, new Set(stored.senders), tell)
  return ownTransactions(seen, of(stored.open, chainId), of(stored.bound, chainId))
}

/** What can be told without its blocks. */
const standing = async ({ rpc, chainId, stored }: Look): Promise<ReadonlyArray<Check>> => {
  const bound = of(stored.bound, chainId)
  const following = bound.filter(({ observed }) => observed !== "confirmed" && observed !== "reverted")
  const included = await includedOf(
    rpc,
    following.map(({ hash }) => hash)
  )
  const sessions = await sessionChecks(rpc, of(stored.wallets, chainId), stored.permissions)
  return [...unconfirmed(bound, included), ...sessions]
}

const ofChain = async (look: Look, since: number | undefined): Promise<ReadonlyArray<Check>> => {
  const { rpc, chainId } = look
  const found = await standing(look)
  const unseen = degradedCheck(`chain ${chainId}`, "none of its blocks was looked at")
  if (since === undefined) return [...found, unseen]
  const looked = async () => {
    const range = await blocksSince(rpc, Math.floor(since / 1000) - MARGIN_SECONDS)
    const own = await unlessUnread("blocks", () => byBlocks(look, range))
    const differences = [...own, ...found, ...(await byEvents(look, range))]
    return [...differences, summary(chainId, differences, blocksIn(range))]
  }
  return looked().catch(failure => [...found, failed("blocks", explain(failure).message), unseen])
}

const marked = async (
  database: RestoredDatabase,
  keepsGrants: boolean,
  comparedFrom: number | undefined
): Promise<Check> => {
  const { at, after, plans, grants } = await database.mark(keepsGrants, comparedFrom)
  return ok(
    "mark",
    `restored at ${timeText(at)}: ${plans} plans and ${grants} grants of bots ended, and requests issued until ${timeText(after * 1000)} are refused`
  )
}

const notCompared = (
  { chains, open, requests }: Stored,
  asked: ReadonlySet<number>
): ReadonlyArray<Check> => {
  const known = [...chains, ...[...open, ...requests].map(({ chainId }) => chainId)]
  return [...new Set(known)]
    .filter(chainId => !asked.has(chainId))
    .toSorted((a, b) => a - b)
    .map(chainId => degradedCheck(`chain ${chainId}`, "not compared: give --rpc with a node of it too"))
}

const compared = async (
  { nodes, since, marks, keepsGrants, note }: Restored,
  database: RestoredDatabase
): Promise<ReadonlyArray<Check>> => {
  const moments = await database.moments()
  const { from, check } = sinceOf(since, moments)
  const mark = marks ? await marked(database, keepsGrants, from) : markOf(moments)
  const stored = await database.stored(from)
  const asked = new Set<number>()
  const lookAt = async (rpc: Rpc) => {
    const chainId = Number(await rpc.call("eth_chainId"))
    asked.add(chainId)
    return ofChain({ rpc, chainId, stored, note }, from)
  }
  const chains = await Promise.all(
    nodes.map(rpc => lookAt(rpc).catch(failure => [failed("node", explain(failure).message)]))
  )
  return [mark, check, ...chains.flat(), ...notCompared(stored, asked)]
}

export const restoredChecks = async (asked: Restored): Promise<ReadonlyArray<Check>> => {
  const database = await openRestored(asked.database)
  try {
    return await compared(asked, database)
  } finally {
    await database.close()
  }
}
