/** Compares the four truths: the bytes that left, the chain, the database, and what each client was told. */
import { createPublicClient, http, keccak256 } from "viem"
import type { Notebook, Told } from "./Told.ts"
import type { Sent, World } from "./World.ts"

export interface Verdict {
  readonly invariant: string
  readonly violations: ReadonlyArray<string>
}

interface Bound {
  readonly plan: string
  readonly step: number
  readonly hash: string
  readonly raw: string
  readonly observed: string | null
  readonly block: string | null
  readonly count: number
  readonly reserved_at: number
  readonly revoked_at: number | null
}

const BOUND = `
  SELECT b.plan, b.step, b.hash, '0x' || encode(b.raw, 'hex') AS raw, s.observed, s.receipt->>'blockHash' AS block,
    l.count, l.reserved_at, g.revoked_at
  FROM transport_bindings b JOIN plan_steps s ON s.plan = b.plan AND s.step = b.step
  JOIN plans p ON p.id = b.plan LEFT JOIN bot_grants g ON 'bot:' || g.id = p.principal
  LEFT JOIN dispatch_leases l ON l.plan = b.plan AND l.step = b.step
  WHERE b.transport = 'signed-eoa-transaction'`

const CONFIRMATIONS = 2

const NOT_ACCEPTED = new Set([
  "NONCE_REUSED",
  "AUTH_EXPIRED",
  "INVALID_SIGNATURE",
  "SERVICE_BUSY",
  "DATABASE_UNAVAILABLE",
  "FORBIDDEN"
])

const where = ({ plan, step }: { readonly plan: string; readonly step: number }) => `${plan}/${step}`

const grouped = <A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => string
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? []
    group.push(item)
    groups.set(keyOf(item), group)
  }
  return groups
}

const withMany = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string, valueOf: (item: A) => string) =>
  [...grouped(items, keyOf)].flatMap(([key, group]) => {
    const values = new Set(group.map(valueOf))
    return values.size > 1 ? [`${key}: ${[...values].join(" and ")}`] : []
  })

const toldSteps = (told: ReadonlyArray<Told>) =>
  told.flatMap(({ plan, at }) =>
    (plan?.steps ?? []).map(step => ({ plan: plan?.id ?? "", step: step.index, record: step, at }))
  )

const oneOutcomePerKey = (told: ReadonlyArray<Told>) =>
  withMany(
    told.filter(
      ({ key, plan, sponsorship, operation, session }) =>
        key !== "" && (plan ?? sponsorship ?? operation ?? session) !== undefined
    ),
    ({ principal, key }) => `${principal}/${key}`,
    ({ plan, sponsorship, operation, session }) => (plan ?? sponsorship ?? operation ?? session)?.id ?? ""
  )

/** By the nonces of requests that were taken more than once. */
export const acceptedTwice = (told: ReadonlyArray<Pick<Told, "nonce" | "code" | "crowded">>) =>
  [...grouped(told, ({ nonce }) => nonce)].flatMap(([nonce, answers]) =>
    answers.filter(({ code, crowded }) => !crowded && !NOT_ACCEPTED.has(code ?? "")).length > 1 ? [nonce] : []
  )

interface Evidence {
  readonly notebook: Notebook
  readonly bound: ReadonlyArray<Bound>
  readonly byHash: ReadonlyMap<string, Bound>
  readonly sent: ReadonlyArray<Sent>
  readonly steps: ReturnType<typeof toldSteps>
}

const oneTransactionPerStep = ({ notebook, byHash, sent }: Evidence) => {
  const isOwn = ({ hash, bytes }: Sent) =>
    byHash.get(hash)?.raw === bytes && keccak256(Buffer.from(bytes.slice(2), "hex")) === hash
  const left = new Set(sent.map(({ hash }) => hash))
  const twofold = withMany(
    notebook.signed.filter(({ hash }) => left.has(hash)),
    ({ planId, step }) => `${planId}/${step}`,
    ({ hash }) => hash
  )
  return [
    ...sent.filter(one => !isOwn(one)).map(({ hash }) => `${hash} left without its binding`),
    ...twofold
  ]
}

const oneStepPerNonce = ({ notebook, byHash }: Evidence) =>
  withMany(
    notebook.signed.filter(({ hash }) => byHash.has(hash)),
    ({ slot }) => slot,
    ({ planId, step }) => `${planId}/${step}`
  )

const lostAdmissions = ({ steps, byHash }: Evidence) =>
  steps.flatMap(step => {
    const hash = step.record.transaction?.hash
    const row = byHash.get(hash ?? "")
    const stays = hash === undefined || (row !== undefined && where(row) === where(step))
    return stays ? [] : [`${where(step)} was told ${hash}`]
  })

const unclaimedSends = ({ sent, bound }: Evidence) => {
  const sends = grouped(sent, ({ hash }) => hash)
  return bound.flatMap(({ hash, count }) => {
    const times = sends.get(hash)?.length ?? 0
    return times > count ? [`${hash} was sent ${times} times under ${count} claims`] : []
  })
}

const falseConfirmations = async ({ steps }: Evidence, chainUrl: string) => {
  const chain = createPublicClient({ transport: http(chainUrl), cacheTime: 0 })
  const receipts = steps.flatMap(({ record }) =>
    record.state === "confirmed" && record.receipt !== undefined ? [record.receipt] : []
  )
  const isFalse = async ({ confirmations, blockNumber, blockHash }: (typeof receipts)[number]) =>
    confirmations < CONFIRMATIONS ||
    (await chain.getBlock({ blockNumber: BigInt(blockNumber) })).hash !== blockHash
  const each = [...new Map(receipts.map(receipt => [receipt.transactionHash, receipt])).values()]
  const found = await Promise.all(each.map(async receipt => ((await isFalse(receipt)) ? [receipt] : [])))
  return found.flat().map(({ transactionHash }) => transactionHash)
}

const plansWithoutKey = async (world: World) => {
  const [row] = await world.sql<{ extra: number }>(
    "SELECT (SELECT count(*) FROM plans) - (SELECT count(*) FROM idempotency_keys WHERE kind IN ('plan', 'lifecycle')) AS extra"
  )
  return row?.extra === 0 ? [] : ["a plan has no key of its own"]
}

const claimsAfterRevocation = ({ bound }: Evidence) =>
  bound
    .filter(row => row.revoked_at !== null && Math.floor(row.reserved_at / 1000) > row.revoked_at)
    .map(where)

const defects = (told: ReadonlyArray<Told>) =>
  told.flatMap(({ route, status, code }) => (status === 500 ? [`${route} answered ${code}`] : []))

const unfinished = ({ bound }: Evidence) =>
  bound.filter(({ observed }) => observed !== "confirmed").map(row => `${where(row)} is ${row.observed}`)

/** What was seen while it went on, apart from what the four truths tell afterwards. */
export interface Witnessed {
  /** Locks that were held while a chain was asked. */
  readonly heldLocks: ReadonlyArray<string>
  /** Errors that nobody foresaw. */
  readonly defects: ReadonlyArray<string>
}

export const audit = async (
  world: World,
  notebook: Notebook,
  sentByRecovery: number,
  witnessed: Witnessed = { heldLocks: [], defects: [] }
): Promise<ReadonlyArray<Verdict>> => {
  const bound = await world.sql<Bound>(BOUND)
  const byHash = new Map(bound.map(row => [row.hash, row]))
  const { told } = notebook
  const evidence = { notebook, bound, byHash, sent: world.sent(), steps: toldSteps(told) }
  const found: Readonly<Record<string, ReadonlyArray<string>>> = {
    "I1 one raw transaction per step": oneTransactionPerStep(evidence),
    "I2 one step per nonce": oneStepPerNonce(evidence),
    "I3 what was admitted stays": lostAdmissions(evidence),
    "I4 each send has its claim": unclaimedSends(evidence),
    "I5 no false confirmation": await falseConfirmations(evidence, world.chainUrl),
    "I6 one use per nonce": acceptedTwice(told),
    "I7 one outcome per key": [...oneOutcomePerKey(told), ...(await plansWithoutKey(world))],
    "I8 recovery sends nothing": sentByRecovery === 0 ? [] : [`${sentByRecovery} were sent`],
    "I9 no claim after a revocation": claimsAfterRevocation(evidence),
    "I10 no lock is held during a chain call": witnessed.heldLocks,
    "no defect": [...witnessed.defects, ...defects(told)],
    "all admitted end confirmed": unfinished(evidence)
  }
  return Object.entries(found).map(([invariant, violations]) => ({ invariant, violations }))
}
