/** Compares what left for the bundler, what the chain carried out, what is stored and what clients were told of user operations. */
import { Schema } from "effect"
import { operationHash } from "../../../src/values/PackedOperation.ts"
import { UserOperation } from "../../../src/values/UserOperation.ts"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"
import type { CarriedOut } from "./Events.ts"

export interface StoredRow {
  readonly id: string
  readonly operation_hash: string
  readonly slot: string
  readonly is_dead: boolean
  readonly signature: string | null
  readonly commitment: string | null
}

const STORED = `SELECT o.id, o.operation_hash, o.chain_id || '/' || o.sender || '/' || o.nonce AS slot,
  o.dead_hash IS NOT NULL AND NOT o.revived AS is_dead, d.signature, d.commitment
  FROM user_operations o LEFT JOIN operation_sends d ON d.operation = o.id`

type Rows = Promise<ReadonlyArray<StoredRow>>

export const storedOperations = (sql: (text: string) => Rows): Rows => sql(STORED)

/** A user operation as it was told. */
export interface ToldOperation {
  readonly id: string
  readonly operationHash: string
  readonly state: string
  readonly submission?: { readonly commitment: string }
}

export interface OperationEvidence {
  readonly rows: ReadonlyArray<StoredRow>
  /** What the bundler was asked to carry, as it was asked. */
  readonly sent: ReadonlyArray<unknown>
  readonly carriedOut: CarriedOut
  readonly told: ReadonlyArray<{ readonly operation: ToldOperation; readonly at: number }>
}

const PLACE = { chainId: 31_337, entryPoint: ENTRY_POINT }

const read = Schema.decodeUnknownSync(UserOperation)

const leftOf = (given: unknown) => {
  const operation = read(given)
  return { hash: operationHash(operation, PLACE), signature: operation.signature }
}

const repeated = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = new Map(items.map((item, index) => [item, index]))
  return items.filter((item, index) => last.get(item) !== index)
}

/** E3: one sending an operation, of exactly what was admitted. */
const leftOnce = ({ rows, sent }: OperationEvidence) => {
  const admitted = new Map(rows.map(row => [row.operation_hash, row.signature]))
  const left = sent.map(leftOf)
  return [
    ...repeated(left.map(({ hash }) => hash)).map(hash => `${hash} left twice`),
    ...left.flatMap(({ hash, signature }) =>
      admitted.get(hash) === signature ? [] : [`${hash} left and was not admitted so`]
    )
  ]
}

/** E6: what was admitted of a wallet's nonce, and is not dead, is one operation. */
const oneOperationPerNonce = ({ rows }: OperationEvidence) =>
  repeated(rows.filter(({ signature, is_dead }) => signature !== null && !is_dead).map(({ slot }) => slot))

/** An answer that was read before the claim can be heard so long after it. */
const LATE_MILLIS = 30_000

/** I3, E20: what was told to be sent stays so, with its commitment. */
const staysSent = ({ rows, told }: OperationEvidence) => {
  const stored = new Map(rows.map(row => [row.id, row]))
  const first = new Map<string, number>()
  return told.flatMap(({ operation: { id, state, submission }, at }) => {
    if (stored.get(id) === undefined) return [`${id} is lost`]
    if (submission === undefined)
      return (first.get(id) ?? Number.POSITIVE_INFINITY) < at - LATE_MILLIS
        ? [`${id} was sent and told to be ${state}`]
        : []
    if (!first.has(id)) first.set(id, at)
    return stored.get(id)?.commitment === submission.commitment ? [] : [`${id} changed its submission`]
  })
}

/** E4: what is told to be done, or to have failed, the chain shows to be so. */
const falselyDone = ({ carriedOut, told }: OperationEvidence) => {
  const ended = new Map(
    told.flatMap(({ operation }) =>
      ["confirmed", "reverted"].includes(operation.state)
        ? [[`${operation.id} ${operation.state}`, operation] as const]
        : []
    )
  )
  return [...ended.values()].flatMap(({ operationHash: hash, state }) =>
    carriedOut.get(hash)?.[0] === (state === "confirmed") ? [] : [`${hash} was told to be ${state}`]
  )
}

/** What the chain carried out of ours had left, and is not told to be dead. */
const carriedOutOnce = ({ rows, sent, carriedOut }: OperationEvidence) => {
  const left = new Set<string>(sent.map(given => leftOf(given).hash))
  return rows.flatMap(({ operation_hash: hash, is_dead }) => {
    const times = carriedOut.get(hash)?.length ?? 0
    return [
      ...(times > 1 ? [`${hash} was carried out twice`] : []),
      ...(times > 0 && !left.has(hash) ? [`${hash} was carried out and had not left`] : []),
      ...(times > 0 && is_dead ? [`${hash} was carried out and thought dead`] : [])
    ]
  })
}

export const auditOperations = (
  evidence: OperationEvidence
): Readonly<Record<string, ReadonlyArray<string>>> => ({
  "E3 one sending for an operation": leftOnce(evidence),
  "E4 nothing of an operation is done that the chain has not": [
    ...falselyDone(evidence),
    ...carriedOutOnce(evidence)
  ],
  "E6 one operation for a wallet's nonce": oneOperationPerNonce(evidence),
  "E20 what was sent stays": staysSent(evidence)
})
