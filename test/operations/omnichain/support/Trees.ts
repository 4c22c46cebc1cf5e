/** The tree of a sucker's outbox, written down level by level with ethers, apart from the service's arithmetic. */
import { AbiCoder, keccak256, ZeroHash } from "ethers"

type Hash = `0x${string}`

export interface ClaimLeaf {
  readonly index: string
  readonly beneficiary: Hash
  readonly projectTokenCount: string
  readonly terminalTokenAmount: string
  readonly metadata: Hash
}

const DEPTH = 32
const coder = AbiCoder.defaultAbiCoder()
const own = (hash: string): Hash => `0x${hash.slice(2)}`

const hashPair = (left: string, right: string): Hash =>
  own(keccak256(coder.encode(["bytes32", "bytes32"], [left, right])))

export const hashLeaf = (leaf: ClaimLeaf): Hash =>
  own(
    keccak256(
      coder.encode(
        ["uint256", "uint256", "bytes32", "bytes32"],
        [leaf.projectTokenCount, leaf.terminalTokenAmount, leaf.beneficiary, leaf.metadata]
      )
    )
  )

/** Every level in full, from the leaves up; what is beyond the leaves is the empty subtree of its level. */
const levelsOf = (
  leaves: ReadonlyArray<Hash>
): ReadonlyArray<{ nodes: ReadonlyArray<Hash>; empty: Hash }> => {
  const levels: Array<{ nodes: ReadonlyArray<Hash>; empty: Hash }> = [{ nodes: leaves, empty: own(ZeroHash) }]
  for (let depth = 0; depth < DEPTH; depth++) {
    const { nodes, empty } = levels[depth] ?? { nodes: [], empty: own(ZeroHash) }
    const pairs = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, pair) =>
      hashPair(nodes[2 * pair] ?? empty, nodes[2 * pair + 1] ?? empty)
    )
    levels.push({ nodes: pairs, empty: hashPair(empty, empty) })
  }
  return levels
}

export const treeOf = (leaves: ReadonlyArray<Hash>) => {
  const levels = levelsOf(leaves)
  const top = levels[DEPTH]
  const proofOf = (index: number): ReadonlyArray<Hash> =>
    levels
      .slice(0, DEPTH)
      .map(({ nodes, empty }, depth) => nodes[Math.floor(index / 2 ** depth) ^ 1] ?? empty)
  return { root: top?.nodes[0] ?? top?.empty ?? own(ZeroHash), proofOf }
}
