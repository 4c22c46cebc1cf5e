/** Asks the one current deployment of a contract by its published ABI, and reads what it says of a project. */
import { type Array, Effect, Either, Option, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import { RpcInvalidResponse, type RpcUnavailable } from "../chain/refusals.ts"
import type { Address } from "../values/Scalars.ts"
import { decodeValues } from "./AbiValues.ts"
import { nodeRefused } from "./Answers.ts"
import { encodeCall } from "./EncodeCall.ts"
import { currentOf, type Ground, nameOf } from "./Ground.ts"
import type { Inquiry } from "./Inquiry.ts"
import type { ProjectContext } from "./ProtocolSchemas.ts"
import { DeploymentMissing, type ProjectAssociationMismatch, ProjectComponentMissing } from "./refusals.ts"

/** A project, and the contract that may be one of its parts. */
export interface AnchoredProject {
  readonly chainId: number
  readonly contractId: string
  readonly projectId: string
}

export interface FoundAnchor {
  /** Which the project uses, zero addresses left out. */
  readonly addresses: Array.NonEmptyReadonlyArray<Address>
  readonly context: ProjectContext
}

export type AssociationRefusal =
  | ProjectComponentMissing
  | ProjectAssociationMismatch
  | RpcInvalidResponse
  | RpcUnavailable

export interface Association {
  readonly locates: boolean
  readonly projectId: string
  readonly find: (ground: Ground) => Inquiry<Either.Either<FoundAnchor, AssociationRefusal>>
}

export interface AnchorCall {
  readonly address: Address
  /** As a project's context names it. */
  readonly association: string
  readonly ask: (args: ReadonlyArray<string>) => CallRequest
  readonly outputs: (data: `0x${string}`) => Either.Either<ReadonlyArray<unknown>, RpcInvalidResponse>
}

const unreadable = () => new RpcInvalidResponse({ retryable: false })

export const currentAnchor = (catalog: CatalogShape, chainId: number, contractId: string) =>
  Option.match(currentOf(catalog, chainId, contractId), {
    onNone: () => Effect.fail(new DeploymentMissing({ context: { chainId, contractId } })),
    onSome: Effect.succeed
  })

export const anchorCall = Effect.fn("AnchorCall.of")(function* (
  catalog: CatalogShape,
  chainId: number,
  contractId: string,
  signature: string
) {
  const anchor = yield* currentAnchor(catalog, chainId, contractId)
  const abi = yield* Effect.orDie(catalog.abi(anchor.abiHash))
  const outputs = (yield* Effect.orDie(catalog.functions(anchor.abiHash))).get(signature)?.outputs ?? []
  const call: AnchorCall = {
    address: anchor.address,
    association: `${nameOf(contractId)}.${signature}`,
    ask: args => ({
      to: anchor.address,
      data: Either.getOrThrow(encodeCall(abi, signature, args)).data
    }),
    outputs: data => Either.mapLeft(decodeValues(outputs, data), unreadable)
  }
  return call
})

export const missing = (project: AnchoredProject) => new ProjectComponentMissing({ context: { ...project } })

/** A revert says that the anchor knows no such project. */
export const readAnchor =
  <A, I>(call: AnchorCall, project: AnchoredProject, schema: Schema.Schema<A, I>) =>
  (outcome: CallOutcome): Either.Either<A, ProjectComponentMissing | RpcInvalidResponse | RpcUnavailable> => {
    if (outcome._tag === "Refused") return Either.left(nodeRefused(outcome.code))
    if (outcome._tag === "Reverted") return Either.left(missing(project))
    return Either.flatMap(call.outputs(outcome.data), values =>
      Either.mapLeft(Schema.decodeUnknownEither(schema)(values), unreadable)
    )
  }
