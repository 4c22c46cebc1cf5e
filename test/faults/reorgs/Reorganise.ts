/** Takes blocks of the local chain back and puts others in their place, with some of the transactions elsewhere. */
import { type Hex, parseEther } from "viem"
import type { Call } from "../../../src/plans/Plan.ts"
import { rpc } from "../../support/Rpc.ts"
import { signCall } from "../../support/SignedCalls.ts"
import { newOwner } from "../../support/SignedFetch.ts"
import type { Chance } from "../crash/Chance.ts"
import type { Stand } from "../matrix/Stand.ts"

export interface Replaced {
  readonly kind: "gone" | "moved" | "partly moved" | "rewound"
  /** A transaction of somebody else in the new blocks. */
  readonly stranger: Hex | undefined
}

const headOf = async (url: string): Promise<number> => Number(await rpc(url, "eth_blockNumber"))

/** The relayed transactions that lie in the newest blocks, oldest first. */
const lost = async (url: string, hashes: ReadonlyArray<Hex>, depth: number): Promise<ReadonlyArray<Hex>> => {
  const head = await headOf(url)
  const receipts = await Promise.all(hashes.map(hash => rpc(url, "eth_getTransactionReceipt", [hash])))
  return hashes.filter((_, index) => Number(receipts[index]?.blockNumber ?? 0) > head - depth)
}

/** Somebody who pays into the same contract, so that the logs behind it move. */
export const newStranger = async ({ bench }: Stand) => {
  const stranger = newOwner()
  await rpc(bench.chain.url, "anvil_setBalance", [
    stranger.key.address,
    `0x${parseEther("100").toString(16)}`
  ])
  return {
    payment: (call: Call): Promise<Hex> => signCall(bench, stranger, call, { nonce: 0 })
  }
}
export type Stranger = Awaited<ReturnType<typeof newStranger>>

export interface Wanted {
  readonly depth: number
  /** Raw bytes of the relayed steps, in order. */
  readonly raws: ReadonlyArray<Hex>
  readonly hashes: ReadonlyArray<Hex>
  readonly call: Call
}

/** Blocks for so many transactions, which keep their order because they are of one wallet. */
const places = (count: number, depth: number, chance: Chance): ReadonlyArray<number> =>
  Array.from({ length: count }, () => chance.below(depth)).sort((a, b) => a - b)

const shuffledIn = async (stranger: Stranger, call: Call, chance: Chance) =>
  chance.happens(0.6) ? stranger.payment(call) : undefined

export const reorganise = async (
  { bench }: Stand,
  stranger: Stranger,
  { depth, raws, hashes, call }: Wanted,
  chance: Chance
): Promise<Replaced> => {
  const { url } = bench.chain
  if (chance.happens(0.15)) {
    await rpc(url, "anvil_rollback", [depth])
    return { kind: "rewound", stranger: undefined }
  }
  const taken = await lost(url, hashes, depth)
  const back = taken.length === 0 ? 0 : chance.pick([0, taken.length, chance.below(taken.length + 1)])
  const bytes = taken.slice(0, back).flatMap(hash => raws[hashes.indexOf(hash)] ?? [])
  const foreign = await shuffledIn(stranger, call, chance)
  const at = places(bytes.length, depth, chance)
  const pairs = bytes.map((raw, index) => [raw, at[index] ?? 0] as const)
  const first = pairs[0]?.[1] ?? 0
  const all = foreign === undefined ? pairs : [[foreign, first] as const, ...pairs]
  await rpc(url, "anvil_reorg", [depth, all])
  const kind = back === 0 ? "gone" : back === taken.length ? "moved" : "partly moved"
  return { kind, stranger: foreign }
}
