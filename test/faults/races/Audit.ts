/** The promises over a whole run: what reached the node, what is stored, and what clients were told. */
import type { Verdict } from "../crash/Audit.ts"
import { auditOperations, storedOperations } from "../operating/Audit.ts"
import { carriedOutOn } from "../operating/Events.ts"
import { auditSessions } from "../operating/SessionAudit.ts"
import { auditSponsored, storedSponsorships } from "../sponsored/Audit.ts"
import type { Arena } from "./Arena.ts"

export interface Told {
  readonly hash: string
  readonly plan: string
  readonly step: number
}

interface Bound {
  readonly plan: string
  readonly step: number
  readonly hash: string
  readonly sender: string
  readonly nonce: string
  readonly count: number
}

const BOUND = `
  SELECT b.plan, b.step, b.hash, lower(b.transaction->>'sender') AS sender, b.transaction->>'nonce' AS nonce, coalesce(l.count, 0) AS count
  FROM transport_bindings b LEFT JOIN dispatch_leases l ON l.plan = b.plan AND l.step = b.step
  WHERE b.transport = 'signed-eoa-transaction'`

const DOUBLE_NONCES = `
  SELECT scope || '/' || nonce AS slot FROM reserved_nonces GROUP BY scope, nonce HAVING count(*) > 1`

const LATE_CLAIMS = `
  SELECT l.plan FROM dispatch_leases l JOIN plans p ON p.id = l.plan JOIN bot_grants g ON 'bot:' || g.id = p.principal
  WHERE g.revoked_at IS NOT NULL AND l.reserved_at / 1000 > g.revoked_at`

const KEYLESS = `
  SELECT id FROM plans p WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.plan = p.id AND k.kind IN ('plan', 'lifecycle'))`

const slotOf = ({ sender, nonce }: { readonly sender: string; readonly nonce: string }) =>
  `${sender}/${nonce}`

const repeated = <A>(items: Iterable<A>, keyOf: (item: A) => string): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const twice: Array<string> = []
  for (const item of items) {
    const key = keyOf(item)
    if (seen.has(key)) twice.push(key)
    seen.add(key)
  }
  return twice
}

export const audit = async (
  { node, sponsoring, operating, sql, errors }: Arena,
  told: ReadonlyArray<Told>,
  seen: {
    readonly broken: ReadonlyArray<string>
    readonly heldLocks: ReadonlyArray<string>
    readonly sentByRecovery: number
  }
): Promise<ReadonlyArray<Verdict>> => {
  const bound = await sql<Bound>(BOUND)
  const byHash = new Map(bound.map(row => [row.hash, row]))
  const arrived = [...node.arrived.values(), ...sponsoring.node.arrived.values()]
  const late = await sql<{ plan: string }>(LATE_CLAIMS)
  const found: Readonly<Record<string, ReadonlyArray<string>>> = {
    "each race ends as it must": seen.broken,
    "I1 one raw transaction per step": arrived
      .filter(({ hash }) => !byHash.has(hash))
      .map(({ hash }) => hash),
    "I2 one step per nonce": [
      ...repeated(arrived, slotOf),
      ...(await sql<{ slot: string }>(DOUBLE_NONCES)).map(({ slot }) => slot)
    ],
    "I3 what was admitted stays": told
      .filter(({ hash, plan, step }) => byHash.get(hash)?.plan !== plan || byHash.get(hash)?.step !== step)
      .map(({ hash }) => hash),
    "I4 each send has its claim": arrived
      .filter(({ hash, times }) => times > (byHash.get(hash)?.count ?? 0))
      .map(({ hash, times }) => `${hash} was sent ${times} times`),
    "I7 one outcome per key": (await sql<{ id: string }>(KEYLESS)).map(
      ({ id }) => `${id} has no key of its own`
    ),
    "I8 recovery sends nothing": seen.sentByRecovery === 0 ? [] : [`${seen.sentByRecovery} were sent`],
    "I9 no claim after a revocation": late.map(({ plan }) => plan),
    "I10 no lock is held during a chain call": seen.heldLocks,
    "no defect": errors,
    ...auditSponsored({
      rows: await storedSponsorships(sql),
      publications: sponsoring.provider.publications,
      executions: new Map(),
      told: []
    }),
    ...auditOperations({
      rows: await storedOperations(sql),
      sent: operating?.bundler.sent ?? [],
      carriedOut: operating === undefined ? new Map() : await carriedOutOn(operating.chainUrl),
      told: []
    }),
    ...(operating === undefined ? {} : await auditSessions(operating.chainUrl, sql))
  }
  return Object.entries(found).map(([invariant, violations]) => ({ invariant, violations }))
}
