/** Compares what is stored of sessions with their guard, and with what the chain carried out under them. */
import { createPublicClient, type Hex, http } from "viem"
import { guardAbi } from "../../sessions/support/Abis.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { type CarriedOut, carriedOutOn } from "./Events.ts"

type Sql = <Row>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

interface StoredSession {
  readonly id: string
  readonly wallet: Hex
  readonly permission_id: Hex
  readonly compiled_hash: string
  readonly names: string
  readonly admitted: string | null
  readonly was_enabled: boolean
}

interface StoredUse {
  readonly session: string
  readonly operation_hash: string
  /** Of the wallet, for the guard's key. */
  readonly sequence: string
  readonly is_sent: boolean
  readonly is_dead: boolean
  readonly value: string
}

interface StoredPlan {
  readonly plan: string
  readonly session: string
  readonly is_current: boolean
  readonly kind: string
  readonly keys: number
}

const SESSIONS = `SELECT s.id, s.wallet, s.permission_id, s.compiled_hash, s.was_enabled,
  s.chain_id || '/' || s.wallet || '/' || s.nonce AS names, g.session AS admitted
  FROM sessions s LEFT JOIN wallet_generations g ON g.chain_id = s.chain_id AND g.wallet = s.wallet`

const USES = `SELECT o.terms -> 'signing' -> 'session' ->> 'id' AS session, o.operation_hash, (o.nonce % 18446744073709551616)::text AS sequence,
  d.operation IS NOT NULL AS is_sent, o.dead_hash IS NOT NULL AND NOT o.revived AS is_dead, p.terms -> 'calls' -> o.steps[1] ->> 'value' AS value
  FROM user_operations o JOIN plans p ON p.id = o.plan LEFT JOIN operation_sends d ON d.operation = o.id
  WHERE o.terms -> 'signing' -> 'session' ->> 'id' IS NOT NULL`

const PLANS = `SELECT l.plan, l.session, l.kind, l.superseded_at IS NULL AS is_current,
  (SELECT count(*)::int FROM idempotency_keys k WHERE k.plan = l.plan AND k.kind = 'lifecycle') AS keys FROM session_plans l`

/** Of a session whose revocation was told before. */
const LATE_USES = `
  SELECT o.id FROM operation_sends d JOIN user_operations o ON o.id = d.operation
    JOIN session_plans l ON l.session::text = o.terms -> 'signing' -> 'session' ->> 'id' AND l.kind = 'revocation'
    JOIN idempotency_keys k ON k.plan = l.plan AND k.kind = 'lifecycle'
  WHERE k.created_at < d.reserved_at`

const lateUses = async (sql: Sql): Promise<ReadonlyArray<string>> =>
  (await sql<{ readonly id: string }>(LATE_USES)).map(({ id }) => id)

const ENABLED = 1

/** What guards say at their chain's head. */
export const guardOn = (url: string) => {
  const client = createPublicClient({ transport: http(url), cacheTime: 0, batch: { multicall: false } })
  const told = { address: GUARD, abi: guardAbi } as const
  const events = async (eventName: "SessionEnabled" | "SessionRevoked") => {
    const found = await client.getContractEvents({ ...told, eventName, strict: true, fromBlock: 0n })
    return found.map(({ args }) => args.permissionId)
  }
  return {
    stateOf: ({ permission_id, wallet }: Pick<StoredSession, "permission_id" | "wallet">) =>
      client.readContract({ ...told, functionName: "stateOf", args: [permission_id, wallet] }),
    events
  }
}

type Guard = ReturnType<typeof guardOn>

const repeatedIn = (items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.filter((item, index) => items.indexOf(item) !== index)

/** E8: what was consumed is what was carried out, to the last wei. */
const countersOff = async (
  session: StoredSession,
  uses: ReadonlyArray<StoredUse>,
  guard: Guard,
  carriedOut: CarriedOut
) => {
  const done = uses.filter(({ operation_hash }) => carriedOut.has(operation_hash))
  const amount = done.reduce((sum, { value }) => sum + BigInt(value), 0n)
  const { calls, actionSpent, allocationSpent } = await guard.stateOf(session)
  const counted = [BigInt(calls), actionSpent[0], allocationSpent[0]]
  const expected = [BigInt(done.length), amount, amount]
  return counted.every((each, index) => each === expected[index])
    ? []
    : [`${session.id} counts ${counted.join(", ")}, and the chain carried out ${expected.join(", ")}`]
}

/** Of user operations. */
type Hashes = ReadonlySet<string>

/** E8: the next is sent once the one before it was carried out, whether or not that was taken back since, and the one whose nonce it has can be no more. */
const severalInFlight = (session: string, uses: ReadonlyArray<StoredUse>, onceCarriedOut: Hashes) => {
  const sent = uses.filter(({ is_sent, is_dead }) => is_sent && !is_dead)
  const open = sent.filter(({ operation_hash }) => !onceCarriedOut.has(operation_hash))
  const twice = repeatedIn(sent.map(({ sequence }) => sequence))
  return [
    ...(open.length > 1 ? [`${session} has ${open.length} operations in flight`] : []),
    ...twice.map(sequence => `${session} has two operations of nonce ${sequence}`)
  ]
}

const enabledOnce = async (guard: Guard, sessions: ReadonlyArray<StoredSession>) => {
  const ours = new Set(sessions.map(({ permission_id }) => permission_id))
  const twice = async (name: "SessionEnabled" | "SessionRevoked") =>
    repeatedIn((await guard.events(name)).filter(id => ours.has(id))).map(id => `${name} ${id} twice`)
  return [...(await twice("SessionEnabled")), ...(await twice("SessionRevoked"))]
}

const admittedTwice = (plans: ReadonlyArray<StoredPlan>) => [
  ...repeatedIn(plans.filter(one => one.is_current).map(({ session, kind }) => `${session} ${kind}`)),
  ...plans.filter(({ keys }) => keys !== 1).map(({ plan, keys }) => `${plan} has ${keys} keys`)
]

/** E9: what lives at a wallet is what the wallet's place is taken by. */
const livesUnadmitted = async (guard: Guard, session: StoredSession) => {
  if (!session.was_enabled) return []
  const { status } = await guard.stateOf(session)
  return status === ENABLED && session.admitted !== session.id
    ? [`${session.id} lives, and ${session.admitted} is admitted`]
    : []
}

/** By what each of these invariants is broken; told what a chain that was reorganised had carried out before. */
export const auditSessions = async (
  url: string,
  sql: Sql,
  before: Hashes = new Set()
): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  const [sessions, uses, plans] = [
    await sql<StoredSession>(SESSIONS),
    await sql<StoredUse>(USES),
    await sql<StoredPlan>(PLANS)
  ]
  const guard = guardOn(url)
  const carriedOut = await carriedOutOn(url)
  const onceCarriedOut = new Set([...before, ...carriedOut.keys()])
  const off: Array<string> = []
  const unadmitted: Array<string> = []
  const several: Array<string> = []
  for (const session of sessions) {
    const own = uses.filter(use => use.session === session.id)
    off.push(...(await countersOff(session, own, guard, carriedOut)))
    unadmitted.push(...(await livesUnadmitted(guard, session)))
    several.push(...severalInFlight(session.id, own, onceCarriedOut))
  }
  return {
    "E7 no use after a revocation": await lateUses(sql),
    "E8 counters are what was carried out": off,
    "E8 one operation of a session in flight": several,
    "E9 one admitted generation for a wallet": unadmitted,
    "E10 names are used once": [
      ...repeatedIn(sessions.map(({ names }) => names)),
      ...(await enabledOnce(guard, sessions))
    ],
    "E20 one plan of a session is admitted": admittedTwice(plans)
  }
}
