/** The operations of this package. */
import { operationIds } from "../generated/OperationIds.ts"
import { planRuns } from "../generated/PlanRuns.ts"
import { runs } from "../generated/Runs.ts"
import type { AnyOperation, OperationNeeds } from "./Installed.ts"

type Own = (typeof runs)[keyof typeof runs] | (typeof planRuns)[keyof typeof planRuns]

/** In the order of publication. */
export const ownOperations: ReadonlyArray<AnyOperation<OperationNeeds<Own>>> = operationIds.map(
  id => ({ ...runs, ...planRuns })[id]
)
