/** Lets calls that are the same for every sender share one upstream call, through Multicall3 at their own block. */
import { Array as Arrays, Effect, Either } from "effect"
import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from "viem"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import type { Read } from "./ChainClient.ts"
import { call, code } from "./PinnedReads.ts"
import type { RpcFailure } from "./refusals.ts"

type Reads = ReadonlyArray<Read<unknown>>

/** Created by one pre-signed transaction on every chain that has it, so that no other code can be there. */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11"
const CALLS_MAXIMUM = 100

interface Member {
  readonly position: number
  readonly shared: NonNullable<Read<unknown>["forAnyone"]>
}

/** At least two calls of one block. */
type Group = readonly [Member, ...ReadonlyArray<Member>]

const isGroup = (members: ReadonlyArray<Member>): members is Group => members.length > 1

const groupsOf = (reads: Reads): ReadonlyArray<Group> => {
  if (reads.length < 2) return []
  const byBlock = new Map<Hex, Array<Member>>()
  for (const [position, { forAnyone: shared }] of reads.entries()) {
    if (shared === undefined) continue
    const members = byBlock.get(shared.at)
    if (members === undefined) byBlock.set(shared.at, [{ position, shared }])
    else members.push({ position, shared })
  }
  const blocks = [...byBlock.values()]
  const parts: ReadonlyArray<ReadonlyArray<Member>> = blocks.flatMap(Arrays.chunksOf(CALLS_MAXIMUM))
  return parts.filter(isGroup)
}

/** What each call returned; nothing where it has to be asked by itself. */
type Returned = ReadonlyArray<Hex | undefined>

const returnedBy = (data: Hex, expected: number): Returned => {
  try {
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data })
    if (results.length !== expected) return []
    return results.map(({ success, returnData }) => (success ? returnData : undefined))
  } catch {
    return []
  }
}

const aggregate = (group: Group): Read<Returned> => {
  const calls = group.map(({ shared }) => ({ target: shared.to, allowFailure: true, callData: shared.data }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] })
  const { decode, ...read } = call({ to: MULTICALL3, data }, group[0].shared.at)
  return {
    ...read,
    decode: result =>
      Either.map(decode(result), outcome =>
        outcome._tag === "Returned" ? returnedBy(outcome.data, group.length) : []
      ),
    onNodeError: () => []
  }
}

interface MulticallProbe {
  readonly at: Bytes32
  /** Whether the block has the contract. */
  readonly has: Read<boolean>
}

/** At the block of the calls; undefined where none could share one. */
export const multicallProbe = (reads: Reads): MulticallProbe | undefined => {
  const [group] = groupsOf(reads)
  if (group === undefined) return undefined
  const { at } = group[0].shared
  const { decode, ...read } = code(MULTICALL3, at)
  const has: Read<boolean> = {
    ...read,
    decode: result => Either.map(decode(result), bytes => bytes !== "0x"),
    onNodeError: () => false
  }
  return { at, has }
}

type Ask = (reads: Reads) => Effect.Effect<ReadonlyArray<unknown>, RpcFailure>

/** A call that does not succeed among others is asked by itself: the others may have used up its gas. */
const askGrouped = Effect.fnUntraced(function* (reads: Reads, groups: ReadonlyArray<Group>, ask: Ask) {
  const grouped = new Set(groups.flatMap(group => group.map(({ position }) => position)))
  const alone = [...reads.keys()].filter(position => !grouped.has(position))
  const answers = new Map<number, unknown>()
  const readAt = (positions: ReadonlyArray<number>) => positions.flatMap(position => reads[position] ?? [])
  const given = yield* ask([...readAt(alone), ...groups.map(aggregate)])
  for (const [index, position] of alone.entries()) answers.set(position, given[index])
  const again: Array<number> = []
  for (const [index, group] of groups.entries()) {
    const returned: unknown = given[alone.length + index]
    for (const [member, { position }] of group.entries()) {
      const result: unknown = Array.isArray(returned) ? returned[member] : undefined
      const read = reads[position]
      if (result === undefined || read === undefined) again.push(position)
      else answers.set(position, yield* read.decode(result))
    }
  }
  const repeated = yield* ask(readAt(again))
  for (const [index, position] of again.entries()) answers.set(position, repeated[index])
  return reads.map((_, position) => answers.get(position))
})

export const askAggregated = (reads: Reads, ask: Ask) => {
  const groups = groupsOf(reads)
  return groups.length === 0 ? ask(reads) : askGrouped(reads, groups, ask)
}
