/** Compares the four truths: the bytes that left, the chain, the database, and what each client was told. */
import { createPublicClient, http, keccak256 } from "viem"
import type { Notebook, Told } from "./Told.ts"
import type { World } from "./World.ts"

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
  LEFT JOIN dispatch_leases l ON l.plan = b.plan AND l.step = b.step`

const NOT_ACCEPTED = new Set([
  "NONCE_REUSED",
  "AUTH_EXPIRED",
  "INVALID_SIGNATURE",
  "SERVICE_BUSY",
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
    told.filter(({ key, plan }) => key !== "" && plan !== undefined),
    ({ principal, key }) => `${principal}/${key}`,
    ({ plan }) => plan?.id ?? ""
  )

const acceptedTwice = (told: ReadonlyArray<Told>) =>
  [...grouped(told, ({ nonce }) => nonce)].flatMap(([nonce, answers]) =>
    answers.filter(({ code }) => !NOT_ACCEPTED.has(code ?? "")).length > 1 ? [nonce] : []
  )

export const audit = async (
  world: World,
  notebook: Notebook,
  sentByRecovery: number
): Promise<ReadonlyArray<Verdict>> => {
  const chain = createPublicClient({ transport: http(world.chainUrl), cacheTime: 0 })
  const bound = await world.sql<Bound>(BOUND)
  const byHash = new Map(bound.map(row => [row.hash, row]))
  const sent = world.sent()
  const steps = toldSteps(notebook.told)
  const admitted = steps.filter(({ record }) => record.transaction !== undefined)

  const strangers = sent.filter(
    ({ hash, bytes }) =>
      byHash.get(hash)?.raw !== bytes || keccak256(Buffer.from(bytes.slice(2), "hex")) !== hash
  )
  const left = new Set(sent.map(({ hash }) => hash))
  const leftOfStep = notebook.signed.filter(({ hash }) => left.has(hash))
  const canonical = async (number: string) => (await chain.getBlock({ blockNumber: BigInt(number) })).hash
  const confirmed = new Map(
    steps.flatMap(({ record }) =>
      record.state === "confirmed" && record.receipt
        ? [[record.receipt.blockHash, record.receipt] as const]
        : []
    )
  )
  const falseConfirmations = await Promise.all(
    [...confirmed.values()].map(async receipt =>
      receipt.confirmations < 2 || (await canonical(receipt.blockNumber)) !== receipt.blockHash
        ? [receipt.transactionHash]
        : []
    )
  )
  const sends = grouped(sent, ({ hash }) => hash)
  const keys = await world.sql<{ extra: number }>(
    "SELECT (SELECT count(*) FROM plans) - (SELECT count(*) FROM idempotency_keys WHERE kind = 'plan') AS extra"
  )
  return [
    {
      invariant: "I1 one raw transaction per step",
      violations: [
        ...strangers.map(({ hash }) => `${hash} left without its binding`),
        ...withMany(
          leftOfStep,
          ({ planId, step }) => `${planId}/${step}`,
          ({ hash }) => hash
        )
      ]
    },
    {
      invariant: "I2 one step per nonce",
      violations: withMany(
        notebook.signed.filter(({ hash }) => byHash.has(hash)),
        ({ slot }) => slot,
        ({ planId, step }) => `${planId}/${step}`
      )
    },
    {
      invariant: "I3 what was admitted stays",
      violations: admitted.flatMap(step => {
        const hash = step.record.transaction?.hash ?? ""
        const row = byHash.get(hash)
        return row !== undefined && where(row) === where(step) ? [] : [`${where(step)} was told ${hash}`]
      })
    },
    {
      invariant: "I4 each send has its claim",
      violations: bound.flatMap(row => {
        const times = sends.get(row.hash)?.length ?? 0
        return times > row.count ? [`${row.hash} was sent ${times} times under ${row.count} claims`] : []
      })
    },
    { invariant: "I5 no false confirmation", violations: falseConfirmations.flat() },
    { invariant: "I6 one use per nonce", violations: acceptedTwice(notebook.told) },
    {
      invariant: "I7 one outcome per key",
      violations: [
        ...oneOutcomePerKey(notebook.told),
        ...((keys[0]?.extra ?? 0) === 0 ? [] : ["a plan has no key of its own"])
      ]
    },
    {
      invariant: "I8 recovery sends nothing",
      violations: sentByRecovery === 0 ? [] : [`${sentByRecovery} were sent`]
    },
    {
      invariant: "I9 no claim after a revocation",
      violations: bound.flatMap(row =>
        row.revoked_at !== null && Math.floor(row.reserved_at / 1000) > row.revoked_at ? [where(row)] : []
      )
    },
    {
      invariant: "all admitted end confirmed",
      violations: bound.flatMap(row =>
        row.observed === "confirmed" ? [] : [`${where(row)} is ${row.observed}`]
      )
    }
  ]
}
