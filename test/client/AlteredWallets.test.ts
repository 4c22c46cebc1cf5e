/** What a false service may tell of a wallet's creation and of its binding: refused before any owner is asked to sign. */
import { assert, describe, it } from "vitest"
import { checkCreation } from "../../src/client/CheckCreation.ts"
import { AlteredPlan } from "../../src/client/Errors.ts"
import { signChallenge } from "../../src/client/OwnerSigning.ts"
import { creationCalldata, walletInitializer } from "../../src/smartaccounts/Creation.ts"
import type { PreparedChallenge, WalletCreation } from "../../src/smartaccounts/SmartAccount.ts"
import { stateHash } from "../../src/smartaccounts/StateHash.ts"
import { walletAddress } from "../../src/smartaccounts/WalletAddress.ts"
import { challengeDigest, challengeTypedData } from "../../src/values/BindingChallenge.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import type { Address, Bytes32 } from "../../src/values/Scalars.ts"
import { fromHex } from "../../src/values/TypedDataHash.ts"
import { changed } from "../smartaccounts/support/Inspections.ts"
import { published } from "../smartaccounts/support/Vectors.ts"
import { contracts, ENTRY_POINT, GUARD, walletOwners } from "../smartaccounts/support/Wallets.ts"
import { altered, counting, first, isRefused, OTHER, second } from "./support/Lies.ts"
import { accountOf } from "./support/Parties.ts"

const owners = walletOwners.map(({ address }) => address)
const account = accountOf(first.address)
const HASH: Bytes32 = `0x${"77".repeat(32)}`
const AUDIENCE = "https://service.test"
const NOW = 1_800_000_000

const manifest = changed({})

const address: Address = "0x78Cc8715095294fe4770323739760993dbCbA466"

const evidence = {
  chainId: 31_337,
  blockNumber: "5",
  blockHash: HASH,
  timestamp: String(NOW),
  source: "onchain"
} as const

describe("the creation of a wallet", () => {
  const asked = { manifestId: manifest.id, owners, threshold: 2, saltNonce: "42" }
  const creationOf = (by: typeof asked): WalletCreation => {
    const initializer = walletInitializer(contracts, by, [GUARD])
    const salt = BigInt(by.saltNonce)
    return {
      chainId: 31_337,
      ...by,
      manifestRevision: manifest.revision,
      address: walletAddress(contracts.factory, published.contracts.proxyInitCodeHash, initializer, salt),
      initializer,
      initializerHash: keccak256(fromHex(initializer)),
      transaction: {
        to: contracts.factory,
        value: "0",
        data: creationCalldata(contracts.singleton, initializer, salt)
      },
      initialAuthority: { validators: [GUARD], executors: [], hook: OTHER, enabledSessions: 0 },
      evidence,
      deploymentConfirmed: false
    }
  }
  const honest = creationOf(asked)

  it("is what was asked for, in whatever order the owners are", () => {
    checkCreation(asked, manifest, honest)
    checkCreation({ ...asked, owners: [...owners].reverse() }, manifest, honest)
  })

  it.each([
    ...["address", "chainId", "manifestId", "owners", "threshold", "saltNonce"],
    ...["initializer", "initializerHash", "transaction.to", "transaction.value", "transaction.data"]
  ])("is refused with another %s", path => {
    assert.throws(() => checkCreation(asked, manifest, altered(honest, path)), AlteredPlan)
  })

  it.each([
    ["other owners", { owners: [OTHER, ...owners.slice(1)] }],
    ["one owner more", { owners: [...owners, OTHER] }],
    ["one owner less", { owners: owners.slice(1) }],
    ["another threshold", { threshold: 1 }],
    ["another salt", { saltNonce: "43" }]
  ])("is refused with %s in all of it", (_, other) => {
    const lie = creationOf({ ...asked, ...other })
    assert.throws(() => checkCreation(asked, manifest, lie), AlteredPlan)
    assert.throws(() => checkCreation(asked, manifest, { ...lie, ...asked }), AlteredPlan)
  })
})

describe("the challenge of a wallet", () => {
  const asked = { manifestId: manifest.id, address, nonce: HASH, expiresAt: NOW + 600 }
  const nobody: Address = "0x0000000000000000000000000000000000000000"
  const state: PreparedChallenge["state"] = {
    chainId: 31_337,
    address,
    manifestId: manifest.id,
    manifestRevision: manifest.revision,
    ...{ singleton: contracts.singleton, adapter: contracts.adapter, entryPoint: ENTRY_POINT },
    ...{ fallbackHandler: contracts.adapter, transactionGuard: nobody, hook: nobody },
    ...{ owners, threshold: 2, safeModules: [contracts.adapter], validators: [], executors: [] },
    safeNonce: "0",
    evidence,
    codeHashes: [],
    moduleConfigurationVerified: true
  }
  const message = {
    accountId: account,
    owner: first.address,
    nonce: asked.nonce,
    expiresAt: asked.expiresAt
  }
  const challengeOf = (
    over: Partial<typeof message & { readonly stateHash: Bytes32 }> = {},
    of = state,
    audience = AUDIENCE
  ) => {
    const own = { ...message, stateHash: stateHash(of), ...over }
    return {
      state: of,
      stateHash: own.stateHash,
      typedData: challengeTypedData(audience, of, own),
      digest: challengeDigest(audience, of, own)
    }
  }
  const client = { account, audience: async () => AUDIENCE }
  const signing = (challenge: PreparedChallenge) => (signer: Parameters<typeof signChallenge>[0]) =>
    signChallenge(signer, { client, asked, challenge })

  it("is signed where it is what was asked for", async () => {
    const { signer, asked: times } = counting()
    const { signer: by } = await signing(challengeOf())(signer)
    assert.deepStrictEqual([by, times()], [first.address, 1])
  })

  it.each([
    ...["digest", "stateHash"],
    ...["chainId", "address", "manifestId", "manifestRevision", "singleton", "adapter", "entryPoint"].map(
      name => `state.${name}`
    ),
    ...["fallbackHandler", "transactionGuard", "hook", "owners", "threshold", "safeModules"].map(
      name => `state.${name}`
    ),
    ...["validators", "executors"].map(name => `state.${name}`),
    ...["name", "version", "chainId", "verifyingContract", "salt"].map(name => `typedData.domain.${name}`),
    ...["accountId", "owner", "stateHash", "nonce", "expiresAt"].map(name => `typedData.message.${name}`),
    ...["primaryType", "types.BindSmartAccount", "types.EIP712Domain"].map(name => `typedData.${name}`)
  ])("is refused with another %s", async path => {
    await isRefused(signing(altered<PreparedChallenge>(challengeOf(), path)))
  })

  it.each([
    ["for another account", challengeOf({ accountId: accountOf(OTHER) })],
    ["for another owner of it", challengeOf({ owner: second.address })],
    ["for somebody who owns no part of it", challengeOf({ owner: OTHER })],
    ["with another nonce", challengeOf({ nonce: `0x${"78".repeat(32)}` })],
    ["for longer", challengeOf({ expiresAt: asked.expiresAt + 1 })],
    ["with the hash of another state", challengeOf({ stateHash: HASH })],
    ["of another wallet", challengeOf({}, { ...state, address: OTHER })],
    ["of another manifest", challengeOf({}, { ...state, manifestId: "other" })],
    ["that nobody has to sign", challengeOf({}, { ...state, threshold: 0 })],
    ["that the account's owner owns no part of", challengeOf({}, { ...state, owners: owners.slice(1) })],
    ["of another service", challengeOf({}, state, "https://other.test")]
  ])("is refused %s, all of it computed anew", async (_, challenge) => {
    await isRefused(signing(challenge))
  })
})
