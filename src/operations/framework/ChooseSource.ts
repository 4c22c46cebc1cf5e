/** Which of its sources an operation is to use; a request's choice is never replaced by another. */
import { Either } from "effect"
import { selectableSources } from "./Declarations.ts"
import type { Described } from "./Operation.ts"
import { SourceNotSupported, SourceRequired } from "./refusals.ts"
import type { Source } from "./Sources.ts"

export const chooseSource = (
  declaration: Pick<Described, "sources">,
  named: string | undefined
): Either.Either<Source | undefined, SourceRequired | SourceNotSupported> => {
  const supported = selectableSources(declaration)
  if (named === undefined)
    return supported.length > 1
      ? Either.left(new SourceRequired({ context: { parameter: "source", supported } }))
      : Either.right(undefined)
  const chosen = supported.find(source => source === named)
  return chosen === undefined
    ? Either.left(new SourceNotSupported({ context: { parameter: "source", supported } }))
    : Either.right(chosen)
}
