/** What a restored database says of all that may have left since its backup, and the mark that it was restored. */
import {
  STRAY_TABLES,
  type StrayTables,
  strayTablesRemedy,
  strayTablesText
} from "../../values/StrayTables.ts"
import { CliFailure, ExitCode, usageFailure } from "../Failure.ts"

/** A step that no transport has, of a plan that was not over by then: its call may have left since. */
export interface OpenStep {
  readonly plan: string
  readonly step: number
  readonly wallet: string
  readonly chainId: number
  readonly to: string
  readonly value: string
  readonly data: string
}

/** A step with a transaction of the wallet's own. */
export interface BoundStep {
  readonly plan: string
  readonly step: number
  readonly hash: string
  readonly chainId: number
  readonly observed: string | null
}

/** A request that an owner may have signed for a forwarder, but for those that were proved dead: another may have their nonce. */
export interface Request {
  readonly sponsorship: string
  readonly plan: string
  readonly step: number
  readonly chainId: number
  readonly forwarder: string
  readonly signer: string
  readonly nonce: string
  readonly published: boolean
}

export interface KnownOperation {
  readonly operation: string
  readonly plan: string
  readonly chainId: number
  readonly entryPoint: string
  readonly sender: string
  readonly hash: string
  readonly claimed: boolean
}

export interface LinkedWallet {
  readonly chainId: number
  readonly address: string
}

/** In milliseconds. */
export interface Moments {
  /** Nothing that is stored is known to be later; null where nothing is. */
  readonly newest: number | null
  /** Of the last mark. */
  readonly restoredAt: number | null
  /** What the last mark keeps, if it does: nothing was lost before. */
  readonly comparedFrom: number | null
  /** When a process found that less is here than it knew, if one did. */
  readonly behindSince: number | null
}

/** Of what was over before the comparison begins only that it is of a chain. */
export interface Stored {
  readonly chains: ReadonlyArray<number>
  /** In lower case: who sends by itself. */
  readonly senders: ReadonlyArray<string>
  readonly open: ReadonlyArray<OpenStep>
  readonly bound: ReadonlyArray<BoundStep>
  readonly requests: ReadonlyArray<Request>
  readonly operations: ReadonlyArray<KnownOperation>
  readonly wallets: ReadonlyArray<LinkedWallet>
  /** By chain, wallet and permission, in lower case. */
  readonly permissions: ReadonlyArray<string>
}

const MOMENTS = `
  SELECT greatest(
    (SELECT max(created_at) FROM plans),
    (SELECT max(bound_at) FROM transport_bindings),
    (SELECT max(reserved_at) FROM publications),
    (SELECT max(minute) * 60000 FROM request_usage WHERE owner_count + bots_count > 0)
  )::float8 AS newest,
  (SELECT max(restored_at)::float8 FROM restorations) AS "restoredAt",
  (SELECT compared_from::float8 FROM restorations ORDER BY restored_at DESC LIMIT 1) AS "comparedFrom",
  (SELECT behind_since::float8 FROM history) AS "behindSince"`

/** Clocks may differ, and what was mined is seen later. */
const MARGIN_MS = 600_000

const CHAINS = `
  SELECT DISTINCT "chainId"::float8 FROM (
    SELECT chain_id AS "chainId" FROM user_operations UNION ALL
    SELECT chain_id FROM sponsored_calls UNION ALL
    SELECT chain_id FROM bindings UNION ALL
    SELECT (transaction ->> 'chainId')::bigint FROM transport_bindings WHERE transaction IS NOT NULL
  ) known`

const SENDERS = "SELECT DISTINCT lower(wallet) AS sender FROM plans"

/** A NUL, which the database reads nothing beside, may only be in what is not read here. */
const OPEN = `
  SELECT p.id AS plan, s.step, lower(p.wallet) AS wallet, (c ->> 'chainId')::float8 AS "chainId", lower(c ->> 'to') AS to,
    c ->> 'value' AS value, lower(c ->> 'data') AS data
  FROM plans p LEFT JOIN ended_plans e ON e.plan = p.id JOIN plan_steps s ON s.plan = p.id
  CROSS JOIN LATERAL (SELECT replace(p.terms::text, '\\u0000', '\\u0001')::json -> 'calls' -> s.step::integer AS c) call
  WHERE coalesce(e.committed_until, p.expires_at) >= $1
    AND NOT EXISTS (SELECT 1 FROM transport_bindings b WHERE b.plan = s.plan AND b.step = s.step)`

/** Of a step that is done by then the block was looked at before. */
const BOUND = `
  SELECT b.plan, b.step, b.hash, (b.transaction ->> 'chainId')::float8 AS "chainId", s.observed
  FROM transport_bindings b JOIN plan_steps s ON s.plan = b.plan AND s.step = b.step JOIN plans p ON p.id = b.plan
  WHERE b.hash IS NOT NULL AND (coalesce(s.observed NOT IN ('confirmed', 'reverted'), true) OR p.changed_at >= $1)`

const REQUESTS = `
  SELECT s.id AS sponsorship, s.plan, (r ->> 'stepIndex')::integer AS step, (r ->> 'chainId')::float8 AS "chainId",
    lower(r ->> 'forwarder') AS forwarder, lower(r -> 'message' ->> 'from') AS signer, r -> 'message' ->> 'nonce' AS nonce,
    EXISTS (SELECT 1 FROM publications u WHERE u.sponsorship = s.id) AS published
  FROM sponsorships s CROSS JOIN LATERAL json_array_elements(s.authorizations) r
  WHERE NOT EXISTS (SELECT 1 FROM sponsored_calls c WHERE c.sponsorship = s.id AND c.step = (r ->> 'stepIndex')::integer
    AND c.dead_hash IS NOT NULL AND NOT c.revived) AND (r -> 'message' ->> 'deadline')::float8 * 1000 >= $1`

const OPERATIONS = `
  SELECT id AS operation, plan, chain_id::float8 AS "chainId", entry_point AS "entryPoint", sender, lower(operation_hash) AS hash, claimed
  FROM user_operations WHERE valid_until * 1000 >= $1`

const WALLETS = `SELECT DISTINCT chain_id::float8 AS "chainId", lower(address) AS address FROM bindings WHERE unlinked_at IS NULL`

const PERMISSIONS =
  "SELECT chain_id || ':' || lower(wallet) || ':' || lower(permission_id) AS permission FROM sessions"

const MARK =
  "SELECT restored_at::float8 AS at, requests_after::float8 AS after, plans_ended AS plans, grants_ended AS grants FROM mark_restored($1)"

/** Apart from the mark: where it does not come to this, nobody takes a moment for known. */
const KEEP = "UPDATE restorations SET compared_from = $2 WHERE restored_at = $1"

export interface Mark {
  /** Milliseconds. */
  readonly at: number
  /** Seconds. */
  readonly after: number
  readonly plans: number
  readonly grants: number
}

export interface RestoredDatabase {
  readonly moments: () => Promise<Moments>
  /** Keeps from when on chains are compared, where that is known. */
  readonly mark: (keepsGrants: boolean, comparedFrom: number | undefined) => Promise<Mark>
  /** All that may have left, or be told of, since then; nothing that only blocks would tell where that is not known. */
  readonly stored: (from: number | undefined) => Promise<Stored>
  readonly close: () => Promise<void>
}

const UNDEFINED = new Set(["42P01", "42883", "42703"])

const CHECK = "Check --database, or SERVICE_DATABASE_URL."

/** Who is refused at several addresses is told no message. */
const reasonOf = ({ message, code }: { readonly message?: unknown; readonly code?: unknown }): string =>
  String(message || code || "no reason is known").replace(/\.$/, "")

const explained = (cause: unknown): Error =>
  UNDEFINED.has(Object(cause).code)
    ? new CliFailure(
        ExitCode.refused,
        "The database is one of an older version.",
        "Start this version on it once where no client reaches it, so that it is brought up to date; stop it, and mark it then."
      )
    : new CliFailure(ExitCode.network, `The database does not answer: ${reasonOf(Object(cause))}.`, CHECK)

const explainedStray = (found: StrayTables): Error =>
  new CliFailure(
    ExitCode.refused,
    `${strayTablesText(found)}.`,
    `In --database or SERVICE_DATABASE_URL ${strayTablesRemedy(found)}.`
  )

const unusable = (cause: unknown): Error =>
  usageFailure(`The URL of the database cannot be used: ${reasonOf(Object(cause))}.`, CHECK)

/** Loaded when it is asked for alone. */
export const openRestored = async (url: string): Promise<RestoredDatabase> => {
  const { default: pg } = await import("pg")
  const made = async () => new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  const client = await made().catch(cause => Promise.reject(unusable(cause)))
  client.on("error", () => {})
  const explainedBy = async (cause: unknown): Promise<never> => {
    if (!UNDEFINED.has(Object(cause).code)) throw explained(cause)
    const [found] = (await client.query<StrayTables>(STRAY_TABLES).catch(() => ({ rows: [] }))).rows
    throw found === undefined ? explained(cause) : explainedStray(found)
  }
  const rows = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
    client.query<Row>(text, [...values]).then(answer => answer.rows, explainedBy)
  await client.connect().catch(cause => Promise.reject(explained(cause)))
  const only = async <Row extends object>(text: string, values?: ReadonlyArray<unknown>): Promise<Row> => {
    const [row] = await rows<Row>(text, values)
    if (row === undefined) throw explained(undefined)
    return row
  }
  const since = (from: number | undefined) => [from === undefined ? null : Math.floor(from) - MARGIN_MS]
  const stored = async (from: number | undefined): Promise<Stored> => ({
    chains: (await rows<{ chainId: number }>(CHAINS)).map(({ chainId }) => chainId),
    senders: (await rows<{ sender: string }>(SENDERS)).map(({ sender }) => sender),
    open: await rows<OpenStep>(OPEN, since(from)),
    bound: await rows<BoundStep>(BOUND, since(from)),
    requests: await rows<Request>(REQUESTS, since(from)),
    operations: await rows<KnownOperation>(OPERATIONS, since(from)),
    wallets: await rows<LinkedWallet>(WALLETS),
    permissions: (await rows<{ permission: string }>(PERMISSIONS)).map(({ permission }) => permission)
  })
  const mark = async (keepsGrants: boolean, comparedFrom: number | undefined): Promise<Mark> => {
    const made = await only<Mark>(MARK, [keepsGrants])
    if (comparedFrom !== undefined) await rows(KEEP, [made.at, Math.floor(comparedFrom)])
    return made
  }
  return { moments: () => only<Moments>(MOMENTS), mark, stored, close: () => client.end() }
}
