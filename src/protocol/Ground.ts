/** What the proofs of one chain rest on besides its answers. */
import { Either, Option } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import { type CheckedAnswer, flawed } from "./Answers.ts"
import { type Inquiry, lead } from "./Inquiry.ts"
import type { RuntimePinsShape } from "./RuntimePins.ts"

export interface Ground {
  readonly catalog: CatalogShape
  readonly pins: RuntimePinsShape
  readonly chainId: number
  readonly recall: (request: CallRequest) => CallOutcome | undefined
}

/** The one current deployment of a contract; a retired one is trusted with nothing but its own clones. */
export const currentOf = (
  catalog: CatalogShape,
  chainId: number,
  contractId: string
): Option.Option<Deployment> => {
  const [current, another] = catalog.deployments(chainId, contractId).filter(row => !row.retired)
  return another === undefined ? Option.fromNullable(current) : Option.none()
}

export const nameOf = (contractId: string): string => contractId.slice(contractId.lastIndexOf(":") + 1)

export const anchorOf = ({ catalog, chainId }: Ground, contractId: string): CheckedAnswer<Deployment> =>
  Either.orElse(
    Either.fromOption(currentOf(catalog, chainId, contractId), () => undefined),
    () => flawed(`the chain has no current ${nameOf(contractId)}`)
  )

/** Expects the answer of last time, or else the one given. */
export const leading = (
  { recall }: Ground,
  request: CallRequest,
  otherwise?: CallOutcome
): Inquiry<CallOutcome> => lead(request, recall(request) ?? otherwise)
