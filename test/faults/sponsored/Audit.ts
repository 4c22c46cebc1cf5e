/** Compares what left for the provider, what the chain executed, what is stored and what clients were told of sponsorships. */
import { executeCalldata } from "../../../src/values/ForwardRequest.ts"
import type { ForwardRequest } from "../../../src/values/ForwardRequestShape.ts"
import { isDone } from "./Ends.ts"
import { type Executions, slotOf } from "./Executions.ts"
import type { Publication } from "./ProviderProxy.ts"

interface Authorized {
  readonly authorizations: ReadonlyArray<{ readonly message: ForwardRequest }>
}

export interface StoredRow extends Authorized {
  readonly id: string
  readonly signatures: ReadonlyArray<string> | null
  readonly submission_hash: string | null
  /** Whether the right of the bot that published it had been taken away before. */
  readonly is_late: boolean
  /** Whether each of its calls has the owner's consent to exactly this, in time. */
  readonly is_approved: boolean
}

const STORED = `SELECT s.id, s.authorizations, u.signatures, u.submission_hash,
    coalesce(u.reserved_at / 1000 > g.revoked_at, false) AS is_late,
    NOT EXISTS (SELECT 1 FROM sponsored_calls c WHERE c.sponsorship = s.id AND NOT EXISTS (
      SELECT 1 FROM owner_approvals a WHERE a.plan = c.plan AND a.step = c.step AND a.hash = u.submission_hash
        AND a.expires_at > u.reserved_at / 1000
        AND (a.form = 'owner-request') = (s.principal NOT LIKE 'bot:%'))) AS is_approved
  FROM sponsorships s LEFT JOIN publications u ON u.sponsorship = s.id LEFT JOIN bot_grants g ON 'bot:' || g.id = s.principal`

/** A sponsorship as it was told. */
export interface ToldSponsorship {
  readonly sponsorship: Authorized & {
    readonly id: string
    readonly state: string
    readonly submission?: { readonly hash: string }
  }
  readonly at: number
}

export interface SponsoredEvidence {
  readonly rows: ReadonlyArray<StoredRow>
  readonly publications: ReadonlyArray<Pick<Publication, "transactions">>
  readonly executions: Executions
  readonly told: ReadonlyArray<ToldSponsorship>
}

type Rows = Promise<ReadonlyArray<StoredRow>>

export const storedSponsorships = (sql: (text: string) => Rows): Rows => sql(STORED)

/** What may leave of it; nothing before it was submitted. */
const callsOf = ({ authorizations, signatures }: StoredRow): ReadonlyArray<string> =>
  (signatures ?? []).flatMap((signature, position) => {
    const message = authorizations[position]?.message
    return message === undefined ? [] : [executeCalldata(message, signature)]
  })

const slotsOf = ({ authorizations }: Authorized): ReadonlyArray<string> =>
  authorizations.map(({ message }) => slotOf(message.from, message.nonce))

const repeated = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = new Map(items.map((item, index) => [item, index]))
  return items.filter((item, index) => last.get(item) !== index)
}

const dataOf = ({ transactions }: Pick<Publication, "transactions">) => transactions.map(({ data }) => data)

/** E1: one POST a sponsorship, of exactly what was admitted. */
const leftOnce = ({ rows, publications }: SponsoredEvidence) => {
  const admitted = new Map(rows.flatMap(row => callsOf(row).map(call => [call, row.id] as const)))
  const ids = publications.flatMap(publication => [
    ...new Set(dataOf(publication).map(data => admitted.get(data) ?? "nothing admitted"))
  ])
  const byId = new Map(rows.map(row => [row.id, row]))
  const whole = publications.flatMap(publication => {
    const row = byId.get(admitted.get(dataOf(publication)[0] ?? "") ?? "")
    const isWhole = row !== undefined && callsOf(row).join() === dataOf(publication).join()
    return isWhole ? [] : [`${row?.id} left in parts`]
  })
  return [...repeated(ids).map(id => `${id} left twice`), ...whole]
}

/** E5: what left for one nonce of a signer is one request. */
const oneRequestPerNonce = ({ rows }: SponsoredEvidence) =>
  repeated(rows.filter(({ signatures }) => signatures !== null).flatMap(slotsOf))

/** E17: what left had its claim before the right to it was taken away. */
const claimedTooLate = ({ rows }: SponsoredEvidence) =>
  rows.filter(({ is_late }) => is_late).map(({ id }) => id)

/** E11: what left had its owner's consent of its own kind. */
const unapproved = ({ rows }: SponsoredEvidence) =>
  rows.filter(({ signatures, is_approved }) => signatures !== null && !is_approved).map(({ id }) => id)

/** I3, E20: what was told to be submitted stays so, with its hash. */
const staysSubmitted = ({ rows, told }: SponsoredEvidence) => {
  const stored = new Map(rows.map(row => [row.id, row]))
  const first = new Map<string, number>()
  return told.flatMap(({ sponsorship: { id, state, submission }, at }) => {
    if (stored.get(id) === undefined) return [`${id} is lost`]
    if (submission === undefined)
      return (first.get(id) ?? Number.POSITIVE_INFINITY) < at - LATE_MILLIS
        ? [`${id} was submitted and told to be ${state}`]
        : []
    if (!first.has(id)) first.set(id, at)
    return stored.get(id)?.submission_hash === submission.hash ? [] : [`${id} changed its submission`]
  })
}

/** An answer that was read before the claim can be heard so long after it. */
const LATE_MILLIS = 30_000

/** E4: what is told to be done, the chain has done. */
const falselyDone = ({ executions, told }: SponsoredEvidence) => {
  const hasSucceeded = (slot: string) => executions.get(slot)?.some(({ success }) => success) === true
  const claimed = new Map(
    told.filter(({ sponsorship }) => isDone(sponsorship.state)).map(one => [one.sponsorship.id, one])
  )
  return [...claimed.values()].flatMap(({ sponsorship }) =>
    slotsOf(sponsorship).every(hasSucceeded) ? [] : [`${sponsorship.id} was told to be ${sponsorship.state}`]
  )
}

/** The forwarder executes a request once; what it executed of ours had left. */
const executedOnce = ({ rows, executions, publications }: SponsoredEvidence) => {
  const left = new Set(publications.flatMap(dataOf))
  const ours = new Set(rows.flatMap(slotsOf))
  return [...executions].flatMap(([slot, each]) => {
    if (!ours.has(slot)) return []
    const isForeign = each.some(({ input }) => input.startsWith("0xdf905caf") && !left.has(input))
    return [
      ...(each.filter(({ success }) => success).length > 1 ? [`${slot} was executed twice`] : []),
      ...(isForeign ? [`${slot} was executed and had not left`] : [])
    ]
  })
}

export const auditSponsored = (
  evidence: SponsoredEvidence
): Readonly<Record<string, ReadonlyArray<string>>> => ({
  "E1 one publication for a sponsorship": leftOnce(evidence),
  "E4 nothing is done that the chain has not": [...falselyDone(evidence), ...executedOnce(evidence)],
  "E5 one request for a forwarder's nonce": oneRequestPerNonce(evidence),
  "E11 nothing is published without its owner's consent": unapproved(evidence),
  "E17 nothing is published after a revocation": claimedTooLate(evidence),
  "E20 what was submitted stays": staysSubmitted(evidence)
})
