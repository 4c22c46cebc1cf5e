/** A session of each kind of right as an honest service makes it: its policy is written here word by word, its hashes are computed. */
import { createHash } from "node:crypto"
import {
  compiledHashOf,
  historyAfter,
  permissionIdOf,
  policyHash,
  ZERO_HASH
} from "../../../src/sessions/Compile.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { SessionInput } from "../../../src/sessions/SessionInput.ts"
import type { SmartManifest } from "../../../src/smartaccounts/Manifest.ts"
import type { SmartAccountCapabilities } from "../../../src/smartaccounts/SmartAccount.ts"
import { canonicalJson } from "../../../src/values/CanonicalJson.ts"
import { type Address, type Bytes32, ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { sessionKey } from "../../sessions/support/Policies.ts"
import { changed } from "../../smartaccounts/support/Inspections.ts"

export const WALLET: Address = "0x78Cc8715095294fe4770323739760993dbCbA466"
export const GUARD: Address = "0x5E55100000000000000000000000000000000001"
const TERMINAL: Address = "0x0DCd1Bf9A1b36cE34237eEaFef220932846BCD82"
const CONTROLLER: Address = "0x9A676e781A523b5d0C0e43731313A708CB607508"
const TOKEN: Address = "0x00000000000000000000000000000000000000C1"
const PAYEE: Address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
export const NATIVE: Address = "0x000000000000000000000000000000000000EEEe"
const CODE: Bytes32 = `0x${"c0".repeat(32)}`
const START = 1_790_000_000
const WEEK = 604_800

const code = (kind: string, address: Address) => ({
  kind,
  address,
  runtimeCodeHash: CODE,
  reviewId: "a test"
})

const asset = (address: Address, symbol: string) => ({
  ...{ address, symbol, decimals: 18, assetIdentity: symbol, reviewId: "a test" }
})

const base = changed({})

/** The local chain's, with everything that these sessions name. */
export const sessionManifest: SmartManifest = changed({
  pins: { ...base.pins, guard: { address: GUARD, runtimeCodeHash: CODE, source: "a test" } },
  reviewed: {
    targets: [code("v6-terminal", TERMINAL), code("v6-controller", CONTROLLER), code("erc20-token", TOKEN)],
    assets: [asset(NATIVE, "ETH"), asset(TOKEN, "TKN")]
  }
})

const sha256 = (text: string): Bytes32 => `0x${createHash("sha256").update(text).digest("hex")}`

const word = (value: bigint | number | Address): Bytes32 =>
  `0x${BigInt(value).toString(16).padStart(64, "0")}`

const fixed = (index: number, value: bigint | number | Address) => ({
  ...{ condition: 0, offset: 32 * index, word: word(value) }
})

export const askedOf = (account: string): SessionInput => ({
  bindingId: sha256(canonicalJson({ accountId: account, chainId: 31_337, address: WALLET.toLowerCase() })),
  grantId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  generation: "1",
  nonce: `0x${"02".repeat(32)}`,
  validAfter: START,
  durationDays: 7,
  maximumCalls: 20,
  gasBudget: {
    ...{ paymaster: null, paymasterDataLength: 0, maxGasPerOperation: "2000000", maxFeePerGas: "5000" },
    ...{ maxPriorityFeePerGas: "2000", totalGasLimit: "50000000", totalCostLimit: "10000000000" }
  },
  allocations: [
    {
      id: "tips",
      total: "150",
      allocations: [
        { id: "elsewhere", chainId: 8_453, asset: NATIVE, limit: "50" },
        { id: "tips", chainId: 31_337, asset: NATIVE, limit: "100" }
      ]
    },
    { id: "tokens", total: "9", allocations: [{ id: "tokens", chainId: 31_337, asset: TOKEN, limit: "9" }] }
  ],
  actions: [
    {
      ...{ kind: "v6-pay", allocationId: "tips", beneficiary: PAYEE, perCallLimit: "10", totalLimit: "90" },
      ...{ terminal: TERMINAL, projectId: "2", minReturnedTokens: "7" }
    },
    {
      ...{ kind: "erc20-transfer", allocationId: "tokens", beneficiary: PAYEE },
      ...{ perCallLimit: "4", totalLimit: "8" }
    },
    { kind: "v6-project-uri", controller: CONTROLLER, projectId: "3" }
  ]
})

export const policy: SessionPolicy = {
  sessionKey: sessionKey.address,
  generation: "1",
  nonce: `0x${"02".repeat(32)}`,
  validAfter: START,
  validUntil: START + WEEK,
  maximumCalls: 20,
  gas: {
    ...{ paymaster: ZERO_ADDRESS, paymasterCodeHash: ZERO_HASH, paymasterDataLength: 0 },
    ...{ maxGasPerOperation: "2000000", maxFeePerGas: "5000", maxPriorityFeePerGas: "2000" },
    ...{ totalGas: "50000000", totalCost: "10000000000" }
  },
  allocations: [
    {
      id: "0x40153237e042e4bf036d60d6783339372f8af13a5f5c2c8db851520deb35ff27",
      asset: NATIVE,
      limit: "100"
    },
    {
      id: "0x680989b8ba4329dbb34fe099c4644fce6e521152facc82d70e978bdc51facd5c",
      asset: TOKEN,
      limit: "9"
    }
  ],
  actions: [
    {
      ...{ target: TERMINAL, codeHash: CODE, selector: "0xfef43257", valueMode: 1, allocation: 0 },
      ...{ minimumLength: 292, maximumLength: 292, perCall: "10", total: "90" },
      rules: [
        ...[fixed(0, 2), fixed(1, NATIVE), { condition: 1, offset: 64, word: word(10) }, fixed(3, PAYEE)],
        ...[fixed(4, 7), fixed(5, 224), fixed(6, 256), fixed(7, 0), fixed(8, 0)]
      ]
    },
    {
      ...{ target: TOKEN, codeHash: CODE, selector: "0xa9059cbb", valueMode: 0, allocation: 1 },
      ...{ minimumLength: 68, maximumLength: 68, perCall: "4", total: "8" },
      rules: [fixed(0, PAYEE), { condition: 1, offset: 32, word: word(4) }]
    },
    {
      ...{ target: CONTROLLER, codeHash: CODE, selector: "0x702a3977", valueMode: 0, allocation: 255 },
      ...{ minimumLength: 100, maximumLength: 2_148, perCall: "0", total: "0" },
      rules: [fixed(0, 3), fixed(1, 64)]
    }
  ]
}

const place = { chainId: 31_337, guard: GUARD, account: WALLET }

/** With another policy all of its hashes are another's. */
export const compiledOf = (of: SessionPolicy = policy): PublicSession["compiled"] => {
  const encodedPolicy = encodePolicy(of)
  const permissionId = permissionIdOf(place, of)
  const compiledHash = compiledHashOf(place, encodedPolicy)
  const baseline = { epoch: "4", history: word(99) }
  const entry = { action: "enable", permissionId, compiledHash, enableNonce: 3n, epoch: 5n } as const
  return {
    ...{ guard: GUARD, policy: of, encodedPolicy, policyHash: policyHash(encodedPolicy), permissionId },
    ...{ compiledHash, enableNonce: "3", baseline },
    expectedHistory: historyAfter(baseline.history, entry)
  }
}

export const sessionOf = (account: string, of: SessionPolicy = policy): PublicSession => {
  const asked = askedOf(account)
  const compiled = compiledOf(of)
  return {
    ...asked,
    id: "6f0c8a52-0b1c-4f0a-9f53-000000000009",
    wallet: WALLET,
    chainId: 31_337,
    sessionKey: sessionKey.address,
    validUntil: START + WEEK,
    allocationManifestHash: sha256(canonicalJson(asked.allocations)),
    compiled,
    state: "active",
    createdAt: START * 1000,
    updatedAt: START * 1000,
    revision: 0,
    superseded: [],
    reservationReleased: false,
    revokeTransaction: {
      ...{ chainId: 31_337, wallet: WALLET, to: GUARD, value: "0", operation: 0 },
      data: `0xb75c7dc6${compiled.permissionId.slice(2)}`
    }
  }
}

export const sessionCapabilities: SmartAccountCapabilities = {
  deployments: [
    {
      ...{ manifestId: sessionManifest.id, mode: "execution", chainId: 31_337, state: "verified" },
      ...{ revision: sessionManifest.revision, checkedAt: 1, manifest: sessionManifest }
    }
  ],
  accountOwnershipVerification: "safe-current-eoa-owner-threshold",
  sessionDurationsDays: [7, 30],
  walletCreation: "stateless-factory-calldata",
  exclusions: []
}

/** The bot's. */
export const sessionClient = (account: string) => ({
  account,
  principalId: `bot:${askedOf(account).grantId}`,
  clock: { seconds: () => START, offsetMillis: 0 },
  smartAccounts: { capabilities: async () => sessionCapabilities }
})
