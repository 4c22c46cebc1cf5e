/** What a request compiles to, by manifests that review as many contracts as a policy may name. */
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { localManifest } from "../../sandbox/execution/Manifest.ts"
import vectors from "../../schema/vectors/sessions.json" with { type: "json" }
import type { AskedSession } from "../../src/sessions/AskedSession.ts"
import { checkAllocations } from "../../src/sessions/CheckAllocations.ts"
import { compileActions } from "../../src/sessions/CompileActions.ts"
import { allocationManifestHash, compileSession } from "../../src/sessions/CompileSession.ts"
import type { SessionGround } from "../../src/sessions/SessionGround.ts"
import type { SessionActionInput } from "../../src/sessions/SessionInput.ts"
import { type ManifestTerms, revised } from "../../src/smartaccounts/Manifest.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { hash, PREPARED, START } from "./support/StoredSessions.ts"

const WALLET = PREPARED.wallet
const NATIVE = "0x000000000000000000000000000000000000EEEe"

const terminal = (index: number) => checksummed(`0x${(0x1000 + index).toString(16).padStart(40, "0")}`)

const manifestWith = (reviewed: ManifestTerms["reviewed"]) => {
  const { revision: _, ...terms } = localManifest()
  return revised({ ...terms, reviewed })
}

const asset = { symbol: "ETH", decimals: 18, assetIdentity: "native", reviewId: "test" }

const manifest = manifestWith({
  targets: Array.from({ length: 16 }, (_, index) => ({
    kind: "v6-terminal",
    address: terminal(index),
    runtimeCodeHash: hash(index + 1),
    reviewId: "test"
  })),
  assets: [{ ...asset, address: NATIVE }]
})

const manifests = { own: manifest, all: [manifest] }
const allocations = [{ id: "ether", chainId: 31_337, asset: NATIVE, limit: "1600" }] as const

const payments = (count: number): ReadonlyArray<SessionActionInput> =>
  Array.from({ length: count }, (_, index) => ({
    kind: "v6-pay",
    allocationId: "ether",
    beneficiary: terminal(99),
    perCallLimit: "10",
    totalLimit: "100",
    terminal: terminal(index),
    projectId: "1",
    minReturnedTokens: "0"
  }))

const askedWith = (count: number): AskedSession => {
  const actions = payments(count)
  const input = { ...PREPARED.asked, actions }
  return {
    input,
    binding: {
      ...{ id: hash(0xb1), accountId: "", ownerAddress: WALLET, chainId: 31_337, address: WALLET },
      ...{ manifestId: manifest.id, stateHash: hash(3), digest: hash(4), nonce: hash(5), expiresAt: 0 },
      ...{ createdAt: 0, revision: 0 },
      get state(): never {
        throw new Error("nothing compiles by the wallet's state")
      }
    },
    manifest,
    guard: { name: "guard", address: terminal(50), runtimeCodeHash: hash(0x50) },
    grant: {
      ...{ id: input.grantId, accountId: "", botAddress: PREPARED.sessionKey, label: "" },
      ...{ scopes: ["read", "plan", "relay"], createdAt: 0, expiresAt: 2e9, revokedAt: null, state: "active" }
    },
    validUntil: PREPARED.validUntil,
    paymasterCodeHash: hash(0),
    allocations,
    actions: Either.getOrThrow(compileActions({ manifests, wallet: WALLET, allocations }, actions))
  }
}

const ground: SessionGround = {
  wallet: {
    ...{ bindingId: hash(0xb1), stateHash: hash(3), chainId: 31_337, address: WALLET, manifest },
    get inspection(): never {
      throw new Error("nothing compiles by the inspection")
    }
  },
  administration: { installed: true, enableNonce: "3", epoch: "7", history: hash(0xba), live: null },
  evidence: { ...PREPARED.evidence, timestamp: String(START) }
}

const compiled = (count: number) => compileSession(askedWith(count), ground, PREPARED.asked.gasBudget)

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
    const checked = (change: Partial<typeof asset>) =>
      checkAllocations({ own: manifest, all: [manifest, elsewhere(change)] }, [group])
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
