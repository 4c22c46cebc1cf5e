/** What a wallet's owners sign to bind it, against the published values and two libraries, and which signatures are none. */
import { Either } from "effect"
import { TypedDataEncoder } from "ethers"
import fc from "fast-check"
import { type Hex, hashTypedData, sha256, type TypedData, toBytes } from "viem"
import { assert, describe, it } from "vitest"
import { bindingId } from "../../src/smartaccounts/BindingId.ts"
import { type OwnerSignatureFault, ownerSignatures } from "../../src/smartaccounts/OwnerSignatures.ts"
import { stateHash, type WalletState } from "../../src/smartaccounts/StateHash.ts"
import { challengeDigest, challengeTypedData } from "../../src/values/BindingChallenge.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { fromHex } from "../../src/values/TypedDataHash.ts"
import { signCompact, signHighS, sign as signWith, testKey } from "../signatures/TestKeys.ts"
import { published } from "./support/Vectors.ts"

const { contracts, chainId, binding, keys } = published
const [created = assert.fail("no vectors")] = published.creation.vectors
const { adapter, entryPoint, singleton } = contracts

const state: WalletState = {
  chainId,
  address: created.address,
  manifestId: "safe7579-guard-31337",
  manifestRevision: `0x${"dd".repeat(32)}`,
  singleton,
  adapter,
  entryPoint,
  fallbackHandler: adapter,
  transactionGuard: ZERO_ADDRESS,
  hook: ZERO_ADDRESS,
  owners: created.owners,
  threshold: 2,
  safeModules: [adapter],
  validators: created.validators,
  executors: []
}

describe("the state", () => {
  it("has the published hash, whatever the order of the owners and whatever else is known", () => {
    assert.equal(stateHash(state), binding.state.hash)
    const told = { ...state, owners: [...state.owners].reverse(), safeNonce: "7" }
    assert.equal(stateHash(told), binding.state.hash)
  })

  it("has another hash for each member that is another", () => {
    const other = "0x00000000000000000000000000000000000000f1"
    const changes: ReadonlyArray<Partial<WalletState>> = [
      { chainId: 1 },
      { address: other },
      { manifestId: "another" },
      { manifestRevision: `0x${"de".repeat(32)}` },
      { singleton: other },
      { adapter: other },
      { entryPoint: other },
      { fallbackHandler: other },
      { transactionGuard: other },
      { hook: other },
      { owners: created.owners.slice(1) },
      { threshold: 1 },
      { safeModules: [adapter, other] },
      { validators: [] },
      { executors: [other] }
    ]
    const hashes = changes.map(change => stateHash({ ...state, ...change }))
    assert.sameMembers(
      Object.keys(state),
      changes.flatMap(change => Object.keys(change))
    )
    assert.equal(new Set([...hashes, stateHash(state)]).size, changes.length + 1)
  })

  it("is bound under the published id", () => {
    const { canonical, hash } = binding.bindingId
    assert.equal(bindingId(binding.message.accountId, state), hash)
    assert.equal(sha256(toBytes(canonical)), hash)
  })
})

const hex32 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`)

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map(bytes => checksummed(`0x${Buffer.from(bytes).toString("hex")}`))

const challenges = fc.record({
  accountId: fc.string({ unit: "grapheme" }),
  owner: address,
  stateHash: hex32,
  nonce: hex32,
  expiresAt: fc.maxSafeNat()
})

describe("the challenge", () => {
  const wallet = { chainId, address: created.address }

  it("has the published domain, types and digest, with or without the slash of an origin", () => {
    const typed = challengeTypedData(binding.audience, wallet, binding.message)
    assert.deepEqual(typed.domain, binding.domain)
    assert.deepEqual(typed.types.BindSmartAccount, binding.types.BindSmartAccount)
    for (const audience of [binding.audience, `${binding.audience}/`])
      assert.equal(challengeDigest(audience, wallet, binding.message), binding.digest)
  })

  it("has the digest that two libraries compute of what wallets are given", () => {
    const origins = fc.string({ unit: "grapheme" })
    fc.assert(
      fc.property(origins, fc.integer({ min: 1 }), address, challenges, (audience, chain, place, message) => {
        const given = { chainId: chain, address: place }
        const { domain, types } = challengeTypedData(audience, given, message)
        const own = challengeDigest(audience, given, message)
        const members = { BindSmartAccount: [...types.BindSmartAccount] }
        const loose: TypedData = members
        assert.equal(
          hashTypedData({ domain, types: loose, primaryType: "BindSmartAccount", message: { ...message } }),
          own
        )
        assert.equal(TypedDataEncoder.hash(domain, members, message), own)
      })
    )
  })
})

const [low = assert.fail(), high = assert.fail()] = created.owners.map(
  owner => keys.find(key => key.address === owner.toLowerCase()) ?? assert.fail()
)
const third = keys.find(({ address }) => address !== low.address && address !== high.address) ?? assert.fail()
const stranger = testKey("former owner")
const digest = binding.digest

const joined = (...parts: ReadonlyArray<Hex>): Hex => `0x${parts.map(part => part.slice(2)).join("")}`
const by = (key: typeof low, signed = digest): Hex => signWith({ ...key }, fromHex(signed))
const given = (packed: Hex, threshold = 2) =>
  ownerSignatures(digest, packed, { owners: state.owners, threshold })

const refused: ReadonlyArray<readonly [string, Hex, OwnerSignatureFault]> = [
  ["one too few", by(low), { fault: "length" }],
  ["one too many", joined(by(low), by(high), by(third)), { fault: "length" }],
  ["nothing", "0x", { fault: "length" }],
  ["a byte short", `0x${joined(by(low), by(high)).slice(4)}`, { fault: "length" }],
  ["EIP-2098", joined(by(low), signCompact({ ...high }, fromHex(digest))), { fault: "length" }],
  ["descending", joined(by(high), by(low)), { fault: "order", position: 1 }],
  ["the same twice", joined(by(low), by(low)), { fault: "order", position: 1 }],
  ["a stranger", joined(by(low), by({ ...stranger, label: "" })), { fault: "owner", position: 1 }],
  ["a high s", joined(signHighS({ ...low }, fromHex(digest)), by(high)), { fault: "form", position: 0 }],
  ["v 0", joined(`0x${by(low).slice(2, -2)}00`, by(high)), { fault: "form", position: 0 }],
  ["an approved hash", joined(by(low), approved(high.address)), { fault: "form", position: 1 }],
  ["eth_sign", joined(by(low), `0x${by(high).slice(2, -2)}1f`), { fault: "form", position: 1 }],
  ["nobody's", joined(by(low), `0x${"00".repeat(64)}1b`), { fault: "form", position: 1 }]
]

/** As a Safe takes the word of an owner who approved the hash on the chain. */
function approved(owner: string): Hex {
  return `0x${owner.slice(2).padStart(64, "0")}${"00".repeat(32)}01`
}

describe("the owners' signatures", () => {
  it("are the published ones, of the owners in their order", () => {
    const found = given(binding.packedSignatures)
    assert.deepEqual(
      found,
      Either.right(binding.signatures.map(({ signer }): Hex => `0x${signer.slice(2).toLowerCase()}`))
    )
    assert.equal(joined(by(low), by(high)), binding.packedSignatures)
  })

  it("may be of any of the owners, as many as the threshold", () => {
    assert.deepEqual(given(by(third), 1), Either.right([third.address]))
    assert.isTrue(Either.isRight(given(joined(by(low), by(third)))))
  })

  it.each(refused)("are refused: %s", (_, packed, fault) => {
    assert.deepEqual(given(packed), Either.left(fault))
  })

  it("of another digest are nobody's", () => {
    const other: Hex = `0x${"ab".repeat(32)}`
    const found = given(joined(by(low, other), by(high, other)))
    assert.deepInclude(Either.isLeft(found) ? found.left : {}, { fault: "owner", position: 0 })
  })
})
