/** Whether a session lets its key do exactly what was asked for, by the bytes and hashes that owners, guard and operations go by, before anything of it is signed. */
import type { Plan } from "../plans/Plan.ts"
import { compiledHashOf, historyAfter, permissionIdOf, policyHash } from "../sessions/Compile.ts"
import { encodePolicy } from "../sessions/Policy.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { SessionInput } from "../sessions/SessionInput.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import {
  checkedForm,
  type OperatingClient,
  pinnedManifest,
  plannedManifest,
  type WalletManifest
} from "./CheckUserOperation.ts"
import { textDigest } from "./Commitment.ts"
import { AlteredPlan } from "./Errors.ts"
import { enableCalldata, installCalldata, policyAskedFor, revokeCalldata } from "./SessionPolicy.ts"

export interface SessionToCheck {
  readonly client: Pick<OperatingClient, "account" | "smartAccounts">
  readonly session: PublicSession
  /** What it was prepared from, where that is known. */
  readonly asked?: SessionInput | undefined
  /** The bot's address, where that is known from elsewhere. */
  readonly sessionKey?: string | undefined
}

const ASKED = [
  "bindingId",
  "grantId",
  "generation",
  "nonce",
  "validAfter",
  "durationDays",
  "maximumCalls",
  "gasBudget",
  "allocations",
  "actions"
] as const satisfies ReadonlyArray<keyof SessionInput>

/** Addresses in one form, whoever told of them. */
const plain = (value: unknown): string =>
  canonicalJson(value).replace(/"0x[0-9a-fA-F]*"/g, hex => hex.toLowerCase())

const isAsked = (session: PublicSession, asked: SessionInput): boolean =>
  ASKED.every(member => plain(asked[member]) === plain(session[member]))

const isCompiled = (session: PublicSession, manifest: WalletManifest): boolean => {
  const { compiled, validUntil } = session
  const policy = policyAskedFor(session, manifest)
  return (
    policy.validUntil === validUntil &&
    encodePolicy(policy) === compiled.encodedPolicy &&
    plain(policy) === plain(compiled.policy)
  )
}

const isHashed = ({ chainId, wallet: account, compiled }: PublicSession): boolean => {
  const { guard, policy, encodedPolicy, enableNonce, baseline } = compiled
  const place = { chainId, guard, account }
  const permissionId = permissionIdOf(place, policy)
  const compiledHash = compiledHashOf(place, encodedPolicy)
  const epoch = BigInt(baseline.epoch) + 1n
  const enabled = { permissionId, compiledHash, enableNonce: BigInt(enableNonce), epoch }
  return (
    compiled.policyHash === policyHash(encodedPolicy) &&
    compiled.permissionId === permissionId &&
    compiled.compiledHash === compiledHash &&
    compiled.expectedHistory === historyAfter(baseline.history, { action: "enable", ...enabled })
  )
}

/** By its bare revocation. */
export const isBareRevocable = ({ chainId, wallet, revokeTransaction, compiled }: PublicSession): boolean =>
  canonicalJson(revokeTransaction) ===
  canonicalJson({
    ...{ chainId, wallet, to: compiled.guard, value: "0", operation: 0 },
    data: revokeCalldata(compiled.permissionId)
  })

const pinsGuardOf =
  (session: PublicSession) =>
  (manifest: WalletManifest | undefined): boolean =>
    manifest?.chainId === session.chainId && manifest.pins.guard?.address === session.compiled.guard

/** Several of a chain may pin one guard, and review other contracts: the one by which the session is compiled, else the first. */
const manifestOf = async (
  client: SessionToCheck["client"],
  session: PublicSession
): Promise<WalletManifest | undefined> => {
  const isOfGuard = pinsGuardOf(session)
  const isOwn = (manifest: WalletManifest): boolean =>
    isOfGuard(manifest) &&
    Object.values(checkedForm(() => ({ policy: isCompiled(session, manifest) }))).every(isRight => isRight)
  return (await pinnedManifest(client, isOwn)) ?? (await pinnedManifest(client, isOfGuard))
}

const isOfBinding = async (
  account: string,
  { bindingId, chainId, wallet }: PublicSession
): Promise<boolean> =>
  bindingId ===
  (await textDigest(canonicalJson({ accountId: account, chainId, address: wallet.toLowerCase() })))

const refuseAltered = ({ id }: PublicSession, checks: Readonly<Record<string, boolean>>): void => {
  const [wrong] = Object.entries(checks).find(([, isRight]) => !isRight) ?? []
  if (wrong !== undefined) throw new AlteredPlan(id, `its ${wrong} differs`, "session")
}

/** Of what ends a session: rejects with `AlteredPlan` where its wallet, that wallet's guard or the transaction is another. */
export const checkRevocable = async ({
  client,
  session
}: Pick<SessionToCheck, "client" | "session">): Promise<void> => {
  const binding = await isOfBinding(client.account, session)
  const guard = (await pinnedManifest(client, pinsGuardOf(session))) !== undefined
  refuseAltered(
    session,
    checkedForm(() => ({ binding, guard, revocation: isBareRevocable(session) }))
  )
}

/** Rejects with `AlteredPlan` where anything differs from what was asked, the wallet's manifest or what is computed here. */
export const checkSession = async ({
  client,
  session,
  asked = session,
  sessionKey
}: SessionToCheck): Promise<void> => {
  const manifest = await manifestOf(client, session)
  const binding = await isOfBinding(client.account, session)
  const allocationHash = await textDigest(canonicalJson(session.allocations))
  const checks = checkedForm(() => ({
    binding,
    request: isAsked(session, asked),
    key: sessionKey === undefined || session.sessionKey.toLowerCase() === sessionKey.toLowerCase(),
    guard: manifest !== undefined,
    policy: manifest !== undefined && isCompiled(session, manifest),
    hash: isHashed(session),
    allocations: session.allocationManifestHash === allocationHash,
    revocation: isBareRevocable(session)
  }))
  refuseAltered(session, checks)
}

const allowedCalls = ({ wallet, compiled }: PublicSession, kind: "activation" | "revocation") =>
  kind === "revocation"
    ? [{ to: compiled.guard, data: revokeCalldata(compiled.permissionId) }]
    : [
        { to: compiled.guard, data: enableCalldata(compiled) },
        { to: wallet, data: installCalldata(compiled) }
      ]

/** Whether the plan enables or revokes exactly this session, under the guard of the wallet's own manifest. */
export const checkLifecyclePlan = async (
  client: SessionToCheck["client"],
  session: PublicSession,
  plan: Plan,
  kind: "activation" | "revocation"
): Promise<void> => {
  const [call, ...others] = plan.calls
  const isOne =
    call !== undefined &&
    others.length === 0 &&
    call.chainId === session.chainId &&
    call.value === "0" &&
    plan.smartAccount?.bindingId === session.bindingId &&
    allowedCalls(session, kind).some(({ to, data }) => call.to === to && call.data === data)
  const isGuarded = kind === "revocation" || pinsGuardOf(session)(await plannedManifest(client, plan))
  if (!isOne || !isGuarded)
    throw new AlteredPlan(
      plan.id,
      `its ${isOne ? "guard" : "call"} differs`,
      `${kind} of the session by the plan`
    )
}
