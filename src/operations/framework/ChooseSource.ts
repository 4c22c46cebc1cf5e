/** Which of its sources an operation is to use; a request's choice is never replaced by another. */
import { Either } from "effect"
import { type OperationId, operationTable, type Source } from "./OperationTable.ts"
import { SourceNotSupported, SourceRequired } from "./refusals.ts"

const isSource = (source: string): source is Source => source === "onchain" || source === "indexer"

/** Those that a request may name. */
export const selectableSources = (id: OperationId): ReadonlyArray<Source> =>
  operationTable[id].sources.filter(isSource)

export const chooseSource = (
  id: OperationId,
  named: string | undefined
): Either.Either<Source | undefined, SourceRequired | SourceNotSupported> => {
  const supported = selectableSources(id)
  if (named === undefined)
    return supported.length > 1
      ? Either.left(new SourceRequired({ context: { parameter: "source", supported } }))
      : Either.right(undefined)
  const chosen = supported.find(source => source === named)
  return chosen === undefined
    ? Either.left(new SourceNotSupported({ context: { parameter: "source", supported } }))
    : Either.right(chosen)
}
