/** Sessions as they are stored, and what their guard says of them, without a database or a chain. */
import { historyAfter } from "../../../src/sessions/Compile.ts"
import type { ToldByGuard } from "../../../src/sessions/GuardReads.ts"
import { PERMISSION_STATUS, type PermissionState } from "../../../src/sessions/GuardState.ts"
import { judgedSession, type SessionLook } from "../../../src/sessions/JudgeSession.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import type { StoredSession } from "../../../src/sessions/SessionRow.ts"
import type { Bytes32 } from "../../../src/values/Scalars.ts"
import { policyFor, sessionKey, ZERO_HASH } from "./Policies.ts"

export const START = 1_790_000_000
export const TOKEN = "0x00000000000000000000000000000000000000C1"
const WALLET = "0x00000000000000000000000000000000000000AA"
const GUARD = "0x5E55100000000000000000000000000000000001"

export const hash = (byte: number): Bytes32 => `0x${byte.toString(16).padStart(2, "0").repeat(32)}`

export const PERMISSION = hash(0x9e)
export const COMPILED = hash(0xc0)
const BASELINE = hash(0xba)

const policy = policyFor(TOKEN, hash(0xee), START + 30)
const entry = { permissionId: PERMISSION, compiledHash: COMPILED }

export const ENABLED_HISTORY = historyAfter(BASELINE, {
  ...entry,
  action: "enable",
  enableNonce: 3n,
  epoch: 8n
})

const REVOKED_HISTORY = historyAfter(ENABLED_HISTORY, {
  ...entry,
  action: "revoke",
  enableNonce: 4n,
  epoch: 9n
})

const evidence = {
  chainId: 31_337,
  blockNumber: "10",
  blockHash: hash(10),
  timestamp: String(START),
  source: "onchain"
} as const

/** As it was prepared, and looked at by nobody. */
export const PREPARED: StoredSession = {
  id: "11111111-1111-4111-8111-111111111111",
  accountId: "eip155:31337:0x00",
  principalId: "owner:eip155:31337:0x00",
  bindingId: hash(0xb1),
  chainId: 31_337,
  wallet: WALLET,
  createdAt: START * 1000,
  updatedAt: START * 1000,
  revision: 0,
  asked: {
    bindingId: hash(0xb1),
    grantId: "22222222-2222-4222-8222-222222222222",
    generation: "1",
    nonce: policy.nonce,
    validAfter: policy.validAfter,
    durationDays: 7,
    maximumCalls: policy.maximumCalls,
    gasBudget: {
      paymaster: null,
      paymasterDataLength: 0,
      maxGasPerOperation: policy.gas.maxGasPerOperation,
      maxFeePerGas: policy.gas.maxFeePerGas,
      maxPriorityFeePerGas: policy.gas.maxPriorityFeePerGas,
      totalGasLimit: policy.gas.totalGas,
      totalCostLimit: policy.gas.totalCost
    },
    allocations: [
      {
        id: "group",
        total: "100",
        allocations: [{ id: "tips", chainId: 31_337, asset: TOKEN, limit: "100" }]
      }
    ],
    actions: [{ kind: "v6-project-uri", controller: TOKEN, projectId: "1" }]
  },
  sessionKey: sessionKey.address,
  manifestId: "manifest",
  validUntil: policy.validUntil,
  allocationManifestHash: hash(1),
  compiled: {
    guard: GUARD,
    policy,
    encodedPolicy: encodePolicy(policy),
    policyHash: hash(2),
    permissionId: PERMISSION,
    compiledHash: COMPILED,
    enableNonce: "3",
    baseline: { epoch: "7", history: BASELINE },
    expectedHistory: ENABLED_HISTORY
  },
  evidence,
  observation: undefined,
  observedAt: undefined,
  wasEnabled: false,
  invalidation: undefined,
  releasedAt: undefined,
  now: START * 1000,
  grantEndedAt: undefined,
  unlinkedAt: undefined,
  boundManifestId: "manifest",
  boundState: hash(3),
  boundOwners: [],
  activation: undefined,
  revocation: undefined,
  superseded: []
}

const none = Array.from({ length: 16 }, () => 0n)

const NOTHING: PermissionState = {
  compiledHash: ZERO_HASH,
  status: PERMISSION_STATUS.none,
  validAfter: 0,
  validUntil: 0,
  calls: 0,
  sessionKey: "0x0000000000000000000000000000000000000000",
  gas: 0n,
  cost: 0n,
  actionSpent: none,
  allocationSpent: none
}

const told = (
  state: Partial<PermissionState>,
  administration: Partial<ToldByGuard["administration"]>
): ToldByGuard => ({
  state: { ...NOTHING, ...state },
  administration: {
    enableNonce: 3n,
    epoch: 7n,
    installed: true,
    history: BASELINE,
    live: ZERO_HASH,
    ...administration
  }
})

/** The guard's words, as the session's life brings them about. */
export const UNTOUCHED = told({}, {})

export const ENABLED = told(
  { status: PERMISSION_STATUS.enabled, compiledHash: COMPILED },
  { epoch: 8n, history: ENABLED_HISTORY, live: PERMISSION }
)

export const REVOKED = told(
  { status: PERMISSION_STATUS.revoked, compiledHash: COMPILED },
  { enableNonce: 4n, epoch: 9n, history: REVOKED_HISTORY }
)

export const spending = (spent: Partial<PermissionState>): ToldByGuard => ({
  ...ENABLED,
  state: { ...ENABLED.state, ...spent }
})

/** A block of this number, of which nothing was taken back and of whose chain this one is final. */
export const look = (
  number: number,
  words: ToldByGuard | undefined,
  over: Partial<SessionLook> & { readonly final?: { readonly number: bigint } | null } = {}
): SessionLook => ({
  told: words,
  isWalletBound: true,
  evidence: { ...evidence, blockNumber: String(number), blockHash: hash(number) },
  final: { number: 0n },
  earlier: "standing",
  at: START * 1000 + number,
  ...over
})

const lookedOnce = (before: StoredSession, each: SessionLook): StoredSession => {
  const { observation, invalidation } = judgedSession(before, each)
  return { ...before, observation, invalidation, observedAt: observation?.shown.observedAt }
}

/** What is stored after each of these looks. */
export const looked = (stored: StoredSession, ...looks: ReadonlyArray<SessionLook>): StoredSession =>
  looks.reduce(lookedOnce, stored)
