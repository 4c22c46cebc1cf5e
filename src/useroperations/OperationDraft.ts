/** What an operation is drafted of. */
import type { Option } from "effect"
import type { Call } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import type { OperationPlace } from "../values/PackedOperation.ts"
import type { Hex } from "../values/Scalars.ts"
import { executionCalldata } from "../values/WalletExecution.ts"
import type { BundlerFees } from "./BundlerWire.ts"
import type { OperationGround, SessionUse } from "./OperationGround.ts"

export interface OperationDraft {
  readonly id: string
  readonly place: OperationPlace
  readonly plan: StoredPlan
  readonly calls: ReadonlyArray<Call>
  /** Of a session whose key is to sign, if one is. */
  readonly use: SessionUse | undefined
  readonly ground: OperationGround
  readonly fees: Option.Option<BundlerFees>
}

export const valueOf = (calls: ReadonlyArray<Call>): bigint =>
  calls.reduce((sum, { value }) => sum + BigInt(value), 0n)

/** What the wallet is told. */
export const calldataOf = (calls: ReadonlyArray<Call>): Hex =>
  executionCalldata(calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data })))
