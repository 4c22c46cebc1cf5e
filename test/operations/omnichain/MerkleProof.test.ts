import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { leafHash, proofRoot } from "../../../src/operations/omnichain/prepare_bridge_claim/MerkleProof.ts"
import { aHash, aUint } from "../../support/Encodings.ts"
import { hashLeaf, treeOf } from "./support/Trees.ts"

const aLeaf = fc.record({
  beneficiary: aHash,
  projectTokenCount: aUint(256, 1n),
  terminalTokenAmount: aUint(256),
  metadata: aHash
})

const leavesOf = (drafts: ReadonlyArray<Omit<Parameters<typeof hashLeaf>[0], "index">>) =>
  drafts.map((draft, index) => ({ ...draft, index: String(index) }))

describe("a claim's proof", () => {
  it("leads from each leaf to the root of the tree that holds it, as another implementation has it", () => {
    fc.assert(
      fc.property(fc.array(aLeaf, { minLength: 1, maxLength: 9 }), drafts => {
        const leaves = leavesOf(drafts)
        const hashes = leaves.map(hashLeaf)
        const tree = treeOf(hashes)
        for (const [index, leaf] of leaves.entries()) {
          assert.strictEqual(leafHash(leaf), hashes[index])
          assert.strictEqual(proofRoot(leaf, tree.proofOf(index)), tree.root)
        }
      }),
      { numRuns: 20 }
    )
  })

  it("leads elsewhere from another index, another sibling and another leaf", () => {
    fc.assert(
      fc.property(
        fc.array(aLeaf, { minLength: 2, maxLength: 5 }),
        fc.nat(),
        fc.nat(31),
        aHash,
        (drafts, pick, depth, other) => {
          const leaves = leavesOf(drafts)
          const tree = treeOf(leaves.map(hashLeaf))
          const index = pick % leaves.length
          const leaf = leaves[index] ?? assert.fail("no leaf")
          const proof = tree.proofOf(index)
          fc.pre(proof[depth] !== other && leaf.metadata !== other)
          const flipped = String(BigInt(leaf.index) ^ (1n << BigInt(depth)))
          assert.notStrictEqual(proofRoot({ ...leaf, index: flipped }, proof), tree.root)
          assert.notStrictEqual(proofRoot(leaf, proof.with(depth, other)), tree.root)
          assert.notStrictEqual(proofRoot({ ...leaf, metadata: other }, proof), tree.root)
        }
      ),
      { numRuns: 20 }
    )
  })

  it("reads the highest index bit at the root", () => {
    const index = String(2 ** 31)
    const leaf = {
      index,
      beneficiary: `0x${"1".repeat(64)}`,
      projectTokenCount: "1",
      terminalTokenAmount: "0",
      metadata: `0x${"0".repeat(64)}`
    } as const
    const zeros = Array.from({ length: 32 }, () => `0x${"0".repeat(64)}` as const)
    assert.notStrictEqual(proofRoot(leaf, zeros), proofRoot({ ...leaf, index: "0" }, zeros))
  })
})
