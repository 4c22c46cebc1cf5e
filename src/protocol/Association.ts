/** Which contract says which address a project uses. */
import { Array, Effect, Either, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import { Address, ZERO_ADDRESS } from "../values/Scalars.ts"
import { decodeValues } from "./AbiValues.ts"
import { encodeCall } from "./EncodeCall.ts"
import type { ProjectContext } from "./ProtocolSchemas.ts"
import { AssociationUnsupported, DeploymentMissing, ProjectComponentMissing } from "./refusals.ts"

const CORE = "@bananapus/core-v6:src"
const DIRECTORY = `${CORE}/JBDirectory.sol:JBDirectory`
const TOKENS = `${CORE}/JBTokens.sol:JBTokens`

interface Adapter {
  readonly anchor: string
  readonly name: string
  readonly signature: string
  /** Whether the anchor's answer is the one address, so that none need be given. */
  readonly locates: boolean
}

const terminals: Adapter = {
  anchor: DIRECTORY,
  name: "JBDirectory",
  signature: "terminalsOf(uint256)",
  locates: false
}

const ADAPTERS = new Map<string, Adapter>([
  [
    `${CORE}/JBController.sol:JBController`,
    { anchor: DIRECTORY, name: "JBDirectory", signature: "controllerOf(uint256)", locates: true }
  ],
  [
    `${CORE}/JBERC20.sol:JBERC20`,
    { anchor: TOKENS, name: "JBTokens", signature: "tokenOf(uint256)", locates: true }
  ],
  [`${CORE}/JBMultiTerminal.sol:JBMultiTerminal`, terminals],
  ["@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry", terminals]
])

export interface Association {
  readonly locates: boolean
  readonly context: ProjectContext
  readonly request: CallRequest
  /** The addresses that the project uses, zero addresses left out. */
  readonly addresses: (
    outcome: CallOutcome
  ) => Effect.Effect<Array.NonEmptyReadonlyArray<Address>, ProjectComponentMissing | RpcInvalidResponse>
}

const checksummed = Schema.typeSchema(Address)

const addressAnswer = Schema.decodeUnknownEither(
  Schema.Tuple(Schema.Union(checksummed, Schema.Array(checksummed)))
)

const anchorOf = (catalog: CatalogShape, chainId: number, adapter: Adapter) => {
  const [anchor, another] = catalog.deployments(chainId, adapter.anchor).filter(row => !row.retired)
  return anchor === undefined || another !== undefined
    ? Effect.fail(new DeploymentMissing({ context: { chainId, contractId: adapter.anchor } }))
    : Effect.succeed(anchor)
}

export const associationOf = Effect.fn("Association.of")(function* (
  catalog: CatalogShape,
  chainId: number,
  contractId: string,
  projectId: string
) {
  const adapter = ADAPTERS.get(contractId)
  if (adapter === undefined) return yield* new AssociationUnsupported({ context: { contractId } })
  const anchor = yield* anchorOf(catalog, chainId, adapter)
  const abi = yield* Effect.orDie(catalog.abi(anchor.abiHash))
  const call = yield* Effect.orDie(encodeCall(abi, adapter.signature, [projectId]))
  const missing = new ProjectComponentMissing({ context: { chainId, contractId, projectId } })
  const read = (outcome: CallOutcome) => {
    if (outcome._tag !== "Returned") return Effect.fail(missing)
    const answer = Either.flatMap(decodeValues(call.entry.outputs, outcome.data), addressAnswer)
    if (Either.isLeft(answer)) return Effect.fail(new RpcInvalidResponse({ retryable: false }))
    const used = [answer.right[0]].flat().filter(address => address !== ZERO_ADDRESS)
    return Array.isNonEmptyReadonlyArray(used) ? Effect.succeed(used) : Effect.fail(missing)
  }
  const association: Association = {
    locates: adapter.locates,
    context: { projectId, association: `${adapter.name}.${adapter.signature}`, anchor: anchor.address },
    request: { to: anchor.address, data: call.data },
    addresses: read
  }
  return association
})
