/** What a guard keeps of a wallet and of each permission, and how it tells that it refuses. */
import { type Address, type Bytes32, ZERO_ADDRESS } from "../values/Scalars.ts"
import { type GuardedWallet, type HistoryEntry, historyAfter, ZERO_HASH } from "./Compile.ts"

export const PERMISSION_STATUS = { none: 0, enabled: 1, revoked: 2 } as const

export interface PermissionState {
  readonly compiledHash: Bytes32
  readonly status: number
  readonly validAfter: number
  readonly validUntil: number
  readonly calls: number
  readonly sessionKey: Address
  readonly gas: bigint
  readonly cost: bigint
  readonly actionSpent: ReadonlyArray<bigint>
  readonly allocationSpent: ReadonlyArray<bigint>
}

export const MAXIMUM_POLICY_MEMBERS = 16

export const NOTHING_SPENT: ReadonlyArray<bigint> = Array.from({ length: MAXIMUM_POLICY_MEMBERS }, () => 0n)

const UNKNOWN_PERMISSION: PermissionState = {
  compiledHash: ZERO_HASH,
  status: PERMISSION_STATUS.none,
  validAfter: 0,
  validUntil: 0,
  calls: 0,
  sessionKey: ZERO_ADDRESS,
  gas: 0n,
  cost: 0n,
  actionSpent: NOTHING_SPENT,
  allocationSpent: NOTHING_SPENT
}

export interface GuardAdministration {
  readonly enableNonce: bigint
  readonly epoch: bigint
  readonly installed: boolean
  readonly history: Bytes32
  readonly live: Bytes32
}

const UNTOUCHED: GuardAdministration = {
  enableNonce: 0n,
  epoch: 0n,
  installed: false,
  history: ZERO_HASH,
  live: ZERO_HASH
}

/** One wallet's part of a guard. */
export interface GuardRecord {
  readonly administration: GuardAdministration
  readonly permissions: ReadonlyMap<Bytes32, PermissionState>
}

export const EMPTY_RECORD: GuardRecord = { administration: UNTOUCHED, permissions: new Map() }

export const permissionIn = ({ permissions }: GuardRecord, id: Bytes32): PermissionState =>
  permissions.get(id) ?? UNKNOWN_PERMISSION

export const withPermission = (
  record: GuardRecord,
  id: Bytes32,
  change: Partial<PermissionState>
): GuardRecord => ({
  ...record,
  permissions: new Map([...record.permissions, [id, { ...permissionIn(record, id), ...change }]])
})

/** What a guard and the chain that it stands on give to judge by. */
export interface GuardGround extends GuardedWallet {
  readonly entryPoint: Address
  readonly adapter: Address
  /** The zero hash where there is no account at all. */
  readonly codeHashOf: (address: Address) => Bytes32
}

export const appended = (
  administration: GuardAdministration,
  entry: Pick<HistoryEntry, "action" | "permissionId" | "compiledHash">
): GuardAdministration => {
  const { enableNonce } = administration
  const epoch = administration.epoch + 1n
  const history = historyAfter(administration.history, { ...entry, enableNonce, epoch })
  return { ...administration, epoch, history }
}

/** The number by which a guard's error names the rule. */
export type GuardRule = number

export type GuardCheck = readonly [rule: GuardRule, holds: () => boolean]

export const firstBroken = (checks: Iterable<GuardCheck>): GuardRule | undefined => {
  for (const [rule, holds] of checks) if (!holds()) return rule
  return undefined
}
