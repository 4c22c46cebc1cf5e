/** The arithmetic of a sucker's outbox tree: what a claim hashes to, and the root that its proof leads to. */
import { keccak256 } from "../../../values/Keccak.ts"

type Hash = `0x${string}`

export interface Leaf {
  readonly index: string
  readonly beneficiary: Hash
  readonly projectTokenCount: string
  readonly terminalTokenAmount: string
  readonly metadata: Hash
}

const WORD_DIGITS = 64

const wordOf = (uint: string): string => BigInt(uint).toString(16).padStart(WORD_DIGITS, "0")

/** As abi.encode does with members of one word each. */
const hashWords = (...words: ReadonlyArray<string>): Hash => keccak256(Buffer.from(words.join(""), "hex"))

const digitsOf = (hash: Hash): string => hash.slice(2)

export const leafHash = ({ beneficiary, metadata, projectTokenCount, terminalTokenAmount }: Leaf): Hash =>
  hashWords(wordOf(projectTokenCount), wordOf(terminalTokenAmount), digitsOf(beneficiary), digitsOf(metadata))

/** Bit i of the index says whether the branch is the right one of its pair at depth i. */
export const proofRoot = (leaf: Leaf, proof: ReadonlyArray<Hash>): Hash => {
  const index = BigInt(leaf.index)
  return proof.reduce(
    (branch, sibling, depth) =>
      ((index >> BigInt(depth)) & 1n) === 1n
        ? hashWords(digitsOf(sibling), digitsOf(branch))
        : hashWords(digitsOf(branch), digitsOf(sibling)),
    leafHash(leaf)
  )
}
