/** A session of a wallet as a person reads it: what its key may do, from the bytes that owners enable, and what is left of that. */

import { formatUnits } from "viem"
import { AlteredPlan } from "../client/Errors.ts"
import { operationRows } from "../review/OperationRows.ts"
import { exact, row } from "../review/Words.ts"
import { knownRight, NATIVE_ASSET } from "../sessions/KnownRights.ts"
import { isNothingEnabled, isUnseen } from "../sessions/NothingEnabled.ts"
import { type NamedAsset, type PolicyNames, policySentences } from "../sessions/PolicyWords.ts"
import type {
  InvalidationReason,
  PublicSession,
  SessionCounter,
  SessionQuota,
  SessionStatus
} from "../sessions/Session.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { foreign } from "./ForeignText.ts"
import { rowsText } from "./PlanText.ts"
import { facts, indented, isoMillis, isoSeconds, textTable } from "./Table.ts"

/** Sentences, one a line. */
export const policyText = (encodedPolicy: `0x${string}`, names: PolicyNames, id: string): string => {
  const told = policySentences(encodedPolicy, names)
  if (told === undefined) throw new AlteredPlan(id, "its policy has another form", "session")
  return told.map(({ text, isDoubtful }) => (isDoubtful ? `BEWARE: ${text}` : text)).join("\n")
}

const NEVER_ENABLED = "nothing to revoke: its guard did not have it enabled when it was last seen"

type Next = (session: PublicSession) => string

const revokedFirst: Next = session =>
  isNothingEnabled(session)
    ? NEVER_ENABLED
    : `revoke it, so that the wallet may have another: service session revoke ${session.id}`

/** Nothing of it is carried out here any more; an operation that was signed before may be. */
const givenUp: Next = ({ id, activation }) =>
  [
    "nothing to revoke yet: its guard did not have it when it was last seen;",
    `it is given up once the plan that would enable it is over${activation ? `, at ${isoMillis(activation.expiresAt)}` : ""};`,
    `should it be enabled before: service session revoke ${id}`
  ].join(" ")

const boundAnew: Next = ({ wallet }) => `its wallet's owners bind it anew: service wallet bind ${wallet}`

/** The grant of a bot never comes back. */
const BROUGHT_BACK: Readonly<Partial<Record<InvalidationReason, Next>>> = {
  "binding-unlinked": boundAnew,
  "wallet-changed": boundAnew,
  reorg: () => "wait until what is seen of it is final"
}

const whileStale: Next = session => {
  const { invalidation } = session
  const isOver = invalidation === undefined || invalidation.permanent
  return ((isOver ? undefined : BROUGHT_BACK[invalidation.reason]) ?? revokedFirst)(session)
}

const NEXT: Readonly<Record<SessionStatus, Next>> = {
  prepared: ({ id }) => `its wallet's owners enable it: service session activate ${id}`,
  installing: ({ id }) => `the owners' operation: service session activate ${id} goes on with it`,
  active: ({ id }) => `its key acts: a command with --session ${id}, or service session use ${id} <plan id>`,
  stale: whileStale,
  revoking: session =>
    isUnseen(session)
      ? givenUp(session)
      : `the owners' operation: service session revoke ${session.id} goes on with it`,
  expired: revokedFirst,
  revoked: ({ reservationReleased }) =>
    reservationReleased ? "nothing: the wallet may have another" : "wait until its revocation is final"
}

export const sessionText = (session: PublicSession): string => {
  const { id, state, wallet, chainId, sessionKey, generation, compiled, invalidation, observation } = session
  return `session ${id}: ${state}\n${indented(
    facts([
      ["wallet", `${wallet} on chain ${chainId}`],
      ["key", `${sessionKey}, generation ${generation}`],
      ["holds", `${isoSeconds(session.validAfter)} to ${isoSeconds(session.validUntil)}`],
      ["compiled hash", compiled.compiledHash],
      ["permission", compiled.permissionId],
      ...(invalidation === undefined
        ? []
        : [
            ["kept from use", `${invalidation.reason}${invalidation.permanent ? ", for good" : ""}`] as const
          ]),
      ...(observation === undefined ? [] : [["seen", isoMillis(observation.observedAt)] as const]),
      ["next", NEXT[state](session)]
    ])
  )}`
}

const LONGEST_SYMBOL = 16

type NamedUnit = Pick<NamedAsset, "decimals" | "symbol">

const unitOf = ({ assets = [] }: PolicyNames, asset: string | undefined): NamedUnit | undefined => {
  if (asset?.toLowerCase() === NATIVE_ASSET.toLowerCase()) return { decimals: 18, symbol: "ETH" }
  return assets.find(({ address }) => address.toLowerCase() === asset?.toLowerCase())
}

/** Undefined: it counts things, or the smallest unit of what nobody knows. */
const unitOfCounter = (name: string, session: PublicSession, names: PolicyNames): NamedUnit | undefined => {
  const [kind, which = ""] = name.split(/:(.*)/)
  if (kind === "cost") return unitOf(names, NATIVE_ASSET)
  if (kind === "allocation") {
    const all = session.allocations.flatMap(({ allocations }) => allocations)
    return unitOf(names, all.find(({ id, chainId }) => id === which && chainId === session.chainId)?.asset)
  }
  const action = kind === "action" ? session.compiled.policy.actions[Number(which)] : undefined
  const right = action && knownRight(action)
  return right && "asset" in right ? unitOf(names, right.asset) : undefined
}

const counterRow = (counter: SessionCounter, session: PublicSession, names: PolicyNames) => {
  const unit = unitOfCounter(counter.name, session, names)
  const shown = (amount: string): string =>
    unit === undefined
      ? amount
      : `${formatUnits(BigInt(amount), unit.decimals)} ${foreign(unit.symbol ?? "", LONGEST_SYMBOL)}`.trimEnd()
  return [counter.name, shown(counter.used), shown(counter.limit), shown(counter.remaining)]
}

export const quotaText = (
  { counters, state }: SessionQuota,
  session: PublicSession,
  names: PolicyNames
): string =>
  counters === null
    ? `The session is ${state}; its guard tells no counters of it.`
    : textTable(
        ["COUNTER", "USED", "LIMIT", "LEFT"],
        counters.map(counter => counterRow(counter, session, names))
      )

/** What a session's key is about to sign. */
export const toSignByKeyText = (
  { id, stepIndexes, operation, chainId, entryPoint, operationHash, signing }: PublicUserOperation,
  { validAfter, validUntil, compiled, sessionKey, id: sessionId }: PublicSession,
  now: number
): string => {
  const adapted = { operation, chainId, entryPoint, validAfter, validUntil, adapter: compiled.guard }
  return `operation ${id} for step ${stepIndexes.join(", ")}\n${indented(
    rowsText([
      ...operationRows(adapted, now),
      row("signs", exact(sessionKey)),
      row("session", exact(sessionId)),
      row("hash", exact(operationHash)),
      row("digest", exact(signing.digest))
    ])
  )}`
}
