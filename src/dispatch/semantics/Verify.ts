/** What a receipt proves of a planned call: the installed predicate for it, on logs that are beyond doubt. */
import type { RawLog } from "../../chain/ChainClient.ts"
import type { Call, Semantic } from "../../plans/Plan.ts"
import { canonicalJson } from "../../values/CanonicalJson.ts"
import type { Address } from "../../values/Scalars.ts"

const MAXIMUM_LOGS = 2_048
const MAXIMUM_LOG_BYTES = 512 * 1024

export interface Effected {
  readonly call: Call
  /** The planned wallet. */
  readonly account: Address
  readonly receipt: { readonly transactionHash: string; readonly blockHash: string }
  readonly logs: ReadonlyArray<RawLog>
}

export interface Predicate {
  readonly name: string
  /** Contract name and canonical signature that the catalog's decoding must have. */
  readonly appliesTo: (call: Call) => boolean
  readonly judge: (effected: Effected) => Semantic
}

const unknown = (reason: string): Semantic => ({ status: "unknown", reason })

const doubt = ({ receipt, logs }: Effected): string | undefined => {
  if (logs.length > MAXIMUM_LOGS) return "the receipt has more logs than are verified"
  if (canonicalJson(logs).length > MAXIMUM_LOG_BYTES)
    return "the receipt's logs are larger than what is verified"
  if (new Set(logs.map(log => log.logIndex)).size !== logs.length) return "two logs have one index"
  return logs.every(
    log => log.transactionHash === receipt.transactionHash && log.blockHash === receipt.blockHash
  )
    ? undefined
    : "a log names another transaction or block"
}

export const verify =
  (predicates: ReadonlyArray<Predicate>) =>
  (effected: Effected): Semantic => {
    const reason = doubt(effected)
    if (reason !== undefined) return unknown(reason)
    const predicate = predicates.find(({ appliesTo }) => appliesTo(effected.call))
    return predicate === undefined ? { status: "unmodeled" } : predicate.judge(effected)
  }
