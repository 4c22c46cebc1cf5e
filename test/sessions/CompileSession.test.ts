/** What a request compiles to, by manifests that review as many contracts as a policy may name. */
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import vectors from "../../schema/vectors/sessions.json" with { type: "json" }
import { checkAllocations } from "../../src/sessions/CheckAllocations.ts"
import { allocationManifestHash, compileSession } from "../../src/sessions/CompileSession.ts"
import {
  askedFor,
  asset,
  groundOfMany,
  manifestsOfMany,
  manifestWith,
  NATIVE,
  payments
} from "./support/AskedSessions.ts"
import { PREPARED } from "./support/StoredSessions.ts"

const compiled = (count: number) =>
  compileSession(askedFor(payments(count)), groundOfMany, PREPARED.asked.gasBudget)

describe("a policy", () => {
  it("is compiled where each operation can present it", () => {
    const { encodedPolicy } = Either.getOrThrow(compiled(12))
    assert.isBelow(encodedPolicy.length / 2, 16_384 - 102)
  })

  it("is refused where none could, whatever the guard says", () => {
    const refusal = Either.getOrThrow(Either.flip(compiled(16)))
    assert.equal(refusal._tag, "INVALID_INPUT")
    assert.equal(refusal.context?.path, "actions")
    assert.match(String(refusal.context?.expected), /fewer actions .* 16384 are the most/)
  })
})

describe("allocations", () => {
  it("have the published hash, as they were asked for", () => {
    const groups = JSON.parse(vectors.allocationManifest.canonical)
    assert.equal(allocationManifestHash(groups), vectors.allocationManifest.hash)
  })

  it("of a group are of one identity and have the same decimals, on every chain", () => {
    const elsewhere = (change: Partial<typeof asset>) => ({
      ...manifestWith({ targets: [], assets: [{ ...asset, ...change, address: NATIVE }] }),
      chainId: 10
    })
    const group = {
      id: "group",
      total: "2",
      allocations: [
        { id: "here", chainId: 31_337, asset: NATIVE, limit: "1" },
        { id: "there", chainId: 10, asset: NATIVE, limit: "1" }
      ]
    } as const
    const { own } = manifestsOfMany
    const checked = (change: Partial<typeof asset>) =>
      checkAllocations({ own, all: [own, elsewhere(change)] }, [group])
    assert.deepEqual(
      Either.getOrThrow(checked({})).map(({ id }) => id),
      ["here"]
    )
    for (const change of [{ decimals: 6 }, { assetIdentity: "other" }]) {
      const refusal = Either.getOrThrow(Either.flip(checked(change)))
      assert.equal(refusal._tag, "SESSION_ALLOCATION_INVALID")
      assert.equal(refusal.context?.path, "allocations[0].allocations[1].asset")
    }
  })
})
