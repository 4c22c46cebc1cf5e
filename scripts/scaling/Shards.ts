/** How the load of accounts, a few of which ask for most, falls on the shards of a database that is distributed by account. */

const START = (0x9e3779b9 + 4 + 3_923_095) | 0

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

/** PostgreSQL's hash of a bigint, by which Citus chooses the shard. */
export const hashOfBigint = (value: bigint): number => {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  let a = (START + (value >= 0n ? low ^ high : low ^ ~high)) | 0
  let b = START
  let c = START
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  return ((c ^ b) - rotated(b, 24)) | 0
}

/** Each has an even part of all hashes, in their order. */
const shardOf = (hash: number, shards: number): number => Math.floor(((hash + 2 ** 31) * shards) / 2 ** 32)

export interface Spread {
  readonly exponent: number
  readonly shards: number
  readonly nodes: number
  /** Shares of the whole load. */
  readonly account: number
  readonly shard: number
  readonly node: number
}

/** The account of rank k asks for a part that falls as k to the power of the exponent; shards lie on their nodes in turn. */
export const spread = (accounts: number, exponent: number, shards: number, nodes: number): Spread => {
  const perShard = new Float64Array(shards)
  const perNode = new Float64Array(nodes)
  let whole = 0
  for (let rank = 1; rank <= accounts; rank++) {
    const load = rank ** -exponent
    const shard = shardOf(hashOfBigint(BigInt(rank)), shards)
    perShard[shard] = (perShard[shard] ?? 0) + load
    perNode[shard % nodes] = (perNode[shard % nodes] ?? 0) + load
    whole += load
  }
  return {
    ...{ exponent, shards, nodes },
    account: 1 / whole,
    shard: Math.max(...perShard) / whole,
    node: Math.max(...perNode) / whole
  }
}

const EXPONENTS = [0, 0.8, 1, 1.2]
const SHARDS = [32, 128]
const NODES = 8
const ACCOUNTS = 1_000_000

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`

const HEAD = [
  "| exponent | shards | hottest account | hottest shard | an even shard | hottest of 8 nodes | an even node |",
  "|---|---|---|---|---|---|---|"
]

/** As docs/scaling.md has it. */
export const spreadTable = (): string =>
  [
    ...HEAD,
    ...EXPONENTS.flatMap(exponent =>
      SHARDS.map(shards => {
        const { account, shard, node } = spread(ACCOUNTS, exponent, shards, NODES)
        const cells = [exponent, shards, ...[account, shard, 1 / shards, node, 1 / NODES].map(percent)]
        return `| ${cells.join(" | ")} |`
      })
    )
  ].join("\n")
