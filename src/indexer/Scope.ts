/** Which chain and project a question is limited to. */
import { Either } from "effect"
import { type Entity, has } from "./Entities.ts"
import type { JsonObject } from "./Filters.ts"
import type { Network } from "./IndexerSchemas.ts"
import { isInt32, PROTOCOL_VERSION } from "./Limits.ts"
import type { Chains } from "./Networks.ts"
import { InvalidIndexerInput, NetworkMismatch, UnsafeInteger, UnsupportedScope } from "./refusals.ts"

export interface IndexScope {
  readonly network: Network
  /** All of the network's. */
  readonly chains: ReadonlySet<number>
  readonly chainId: number | undefined
  readonly projectId: number | undefined
}

interface Asked {
  readonly network: Network
  readonly chainId?: number | undefined
  readonly projectId?: string | undefined
}

type Refused = InvalidIndexerInput | NetworkMismatch | UnsafeInteger | UnsupportedScope

const PROJECT = /^(?:0|[1-9][0-9]{0,15})$/

const projectOf = (text: string | undefined, maximum: number): Either.Either<number | undefined, Refused> => {
  if (text === undefined) return Either.right(undefined)
  const context = { parameter: "projectId" }
  if (!PROJECT.test(text))
    return Either.left(new InvalidIndexerInput({ context: { ...context, expected: "a decimal project id" } }))
  return Number(text) > maximum
    ? Either.left(new UnsafeInteger({ context: { ...context, maximum } }))
    : Either.right(Number(text))
}

export const scopeOf = (
  entity: Entity,
  chains: Chains,
  asked: Asked,
  greatestProject: number
): Either.Either<IndexScope, Refused> => {
  const { network, chainId } = asked
  const own = chains[network]
  if (chainId !== undefined && !own.has(chainId))
    return Either.left(new NetworkMismatch({ context: { parameter: "chainId", network, allowed: [...own] } }))
  const project = projectOf(asked.projectId, greatestProject)
  if (Either.isLeft(project)) return Either.left(project.left)
  const projectId = project.right
  const unsupported = [
    ...(chainId !== undefined && !has(entity, "chainId") ? ["chainId"] : []),
    ...(projectId !== undefined && !has(entity, "projectId") ? ["projectId"] : [])
  ]
  return unsupported.length > 0
    ? Either.left(
        new UnsupportedScope({
          detail: `Rows of ${entity.name} have no ${unsupported.join(" and no ")}.`,
          context: { parameter: unsupported[0] }
        })
      )
    : Either.right({ network, chains: own, chainId, projectId })
}

/** Conditions that every row must meet; they stand before what the caller asks. */
export const scopeConditions = (
  entity: Entity,
  { chains, chainId, projectId }: IndexScope
): ReadonlyArray<JsonObject> => [
  { version: PROTOCOL_VERSION },
  ...(has(entity, "chainId") ? [chainId === undefined ? { chainId_in: [...chains] } : { chainId }] : []),
  ...(projectId === undefined ? [] : [{ projectId }])
]

/** The source keeps project ids in 32 bits: it has no rows of a project beyond them. */
export const isHeld = ({ projectId }: IndexScope): boolean => projectId === undefined || isInt32(projectId)
