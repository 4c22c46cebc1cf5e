/** What a wallet may tell its guard to do, and what the guard keeps of it. */
import { Either } from "effect"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { compiledHashOf, type HistoryEntry, permissionIdOf, ZERO_HASH } from "./Compile.ts"
import { type Enabling, enablingIn } from "./Enabling.ts"
import {
  appended,
  type GuardGround,
  type GuardRecord,
  type GuardRule,
  PERMISSION_STATUS,
  permissionIn,
  withPermission
} from "./GuardState.ts"
import { decodePolicy } from "./Policy.ts"
import { policyFault } from "./ReviewPolicy.ts"

type Administered = Either.Either<GuardRecord, GuardRule>

const enabled = (
  ground: GuardGround,
  record: GuardRecord,
  { expectedEnableNonce, encoded }: Enabling,
  now: number
): Administered => {
  const { administration } = record
  if (administration.enableNonce !== expectedEnableNonce) return Either.left(4)
  if (administration.live !== ZERO_HASH) return Either.left(5)
  const policy = decodePolicy(encoded)
  if (policy === undefined) return Either.left(6)
  const fault = policyFault(ground, policy, now)
  if (fault !== undefined) return Either.left(fault)
  const permissionId = permissionIdOf(ground, policy)
  if (permissionIn(record, permissionId).status !== PERMISSION_STATUS.none) return Either.left(14)
  const compiledHash = compiledHashOf(ground, encoded)
  const { validAfter, validUntil, sessionKey } = policy
  const started = { status: PERMISSION_STATUS.enabled, compiledHash, validAfter, validUntil, sessionKey }
  const entry = { action: "enable", permissionId, compiledHash } as const
  return Either.right({
    ...withPermission(record, permissionId, started),
    administration: { ...appended(administration, entry), live: permissionId }
  })
}

/** Ends what lives, if anything does. */
const ended = (record: GuardRecord, action: Exclude<HistoryEntry["action"], "enable">): GuardRecord => {
  const { administration } = record
  const permissionId = administration.live
  const next = { ...administration, live: ZERO_HASH, enableNonce: administration.enableNonce + 1n }
  const { compiledHash } = permissionIn(record, permissionId)
  const kept =
    permissionId === ZERO_HASH
      ? record
      : withPermission(record, permissionId, { status: PERMISSION_STATUS.revoked })
  return { ...kept, administration: appended(next, { action, permissionId, compiledHash }) }
}

/** `now` is the timestamp of the block in which the call is executed. */
export const enable = (
  ground: GuardGround,
  record: GuardRecord,
  enabling: Enabling,
  now: number
): Administered => (record.administration.installed ? enabled(ground, record, enabling, now) : Either.left(2))

export const revoke = (record: GuardRecord, permissionId: Bytes32): Administered => {
  const { installed, live } = record.administration
  if (!installed) return Either.left(2)
  const isLive = permissionId !== ZERO_HASH && live === permissionId
  return isLive ? Either.right(ended(record, "revoke")) : Either.left(3)
}

/** With the data of the installation: none, or what is to be enabled at once. */
export const install = (ground: GuardGround, record: GuardRecord, data: Hex, now: number): Administered => {
  const { administration } = record
  if (administration.installed) return Either.left(1)
  const installed = { ...record, administration: { ...administration, installed: true } }
  if (data === "0x") return Either.right(installed)
  const enabling = enablingIn(data)
  return enabling === undefined ? Either.left(6) : enabled(ground, installed, enabling, now)
}

export const uninstall = (record: GuardRecord): Administered => {
  const { administration } = record
  if (!administration.installed) return Either.left(2)
  const uninstalled = { ...record, administration: { ...administration, installed: false } }
  return Either.right(ended(uninstalled, "uninstall"))
}
