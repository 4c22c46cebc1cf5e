/** Keeps the rows equal to what the local chain says, and begins again when that chain is another one than before. */
import type { Pool, PoolClient } from "pg"
import { BlockNotFoundError, type PublicClient } from "viem"
import { CHECKPOINT, emptyTables, type Place, tableOf } from "../Tables.ts"
import { type Addresses, blockAt, type Head, headOf } from "./Chain.ts"
import { type BlockFacts, factsBetween } from "./Facts.ts"
import type { ProtocolEvent } from "./ProtocolEvents.ts"
import { writeEvent } from "./Rows.ts"
import { writeTotals } from "./Totals.ts"
import { type Origin, Writer } from "./Writer.ts"

interface Following {
  readonly client: PublicClient
  readonly pool: Pool
  readonly place: Place
  readonly addresses: Addresses
  readonly chainId: number
  /** Of the chain, in the source's status. */
  readonly name: string
}

interface Checkpoint {
  readonly blockNumber: number
  readonly blockHash: string
}

const checkpointOf = async ({ pool, place, chainId }: Following): Promise<Checkpoint | undefined> => {
  const text = `SELECT "blockNumber", "blockHash" FROM ${tableOf(place.schema, CHECKPOINT)} WHERE "chainId" = $1`
  return (await pool.query<Checkpoint>(text, [chainId])).rows[0]
}

const stillThere = async (client: PublicClient, { blockNumber, blockHash }: Checkpoint): Promise<boolean> =>
  blockAt(client, BigInt(blockNumber)).then(
    ({ hash }) => hash === blockHash,
    cause => {
      if (cause instanceof BlockNotFoundError) return false
      throw cause
    }
  )

const keep = async (
  client: PoolClient,
  { place, chainId, name }: Following,
  { number, hash, timestamp }: Head
): Promise<void> => {
  const text = `INSERT INTO ${tableOf(place.schema, CHECKPOINT)} ("chainId", "name", "blockNumber", "blockTimestamp", "blockHash") VALUES ($1, $2, $3, $4, $5) ON CONFLICT ("chainId") DO UPDATE SET "blockNumber" = excluded."blockNumber", "blockTimestamp" = excluded."blockTimestamp", "blockHash" = excluded."blockHash"`
  await client.query(text, [chainId, name, Number(number), Number(timestamp), hash])
}

const originOf = (following: Following, { block }: BlockFacts, { log }: ProtocolEvent): Origin => ({
  chainId: following.chainId,
  blockNumber: Number(block.number),
  timestamp: Number(block.timestamp),
  txHash: log.transactionHash,
  logIndex: log.logIndex,
  from: block.senders.get(log.transactionHash) ?? log.address
})

const writeBlock = async (writer: Writer, following: Following, facts: BlockFacts): Promise<void> => {
  const { events } = facts
  for (const [at, event] of events.entries()) {
    const inSame = (other: ProtocolEvent) => other.log.transactionHash === event.log.transactionHash
    await writeEvent(writer, event, {
      origin: originOf(following, facts, event),
      facts,
      addresses: following.addresses,
      next: events.slice(at + 1).filter(inSame),
      earlier: events.slice(0, at).filter(inSame)
    })
  }
  await writeTotals(writer, following.chainId, facts)
}

const written = async (
  following: Following,
  facts: ReadonlyArray<BlockFacts>,
  head: Head,
  anew: boolean
): Promise<void> => {
  const client = await following.pool.connect()
  try {
    await client.query("BEGIN")
    if (anew) await client.query(emptyTables(following.place))
    const writer = new Writer(client, following.place)
    for (const some of facts) await writeBlock(writer, following, some)
    await keep(client, following, head)
    await client.query("COMMIT")
  } catch (cause) {
    await client.query("ROLLBACK")
    throw cause
  } finally {
    client.release()
  }
}

/** Reads what is new up to the head; nothing is written of a chain that changed meanwhile. */
export const catchUp = async (following: Following): Promise<Head> => {
  const { client, addresses } = following
  const [head, kept] = await Promise.all([headOf(client), checkpointOf(following)])
  if (kept?.blockHash === head.hash) return head
  const isSame = kept !== undefined && kept.blockNumber < head.number && (await stillThere(client, kept))
  const from = isSame ? BigInt(kept.blockNumber) + 1n : 0n
  const facts = await factsBetween(client, addresses, from, head)
  const { hash } = await blockAt(client, head.number)
  if (hash !== head.hash) return catchUp(following)
  await written(following, facts, head, !isSame)
  return head
}
