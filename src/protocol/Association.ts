/** Which contract says which address a project uses. */
import { Array, Effect, Either, Option, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import { TIERS_HOOK } from "../catalog/CloneFamilies.ts"
import { Address, ZERO_ADDRESS } from "../values/Scalars.ts"
import {
  type AnchorCall,
  type AnchoredProject,
  type Association,
  anchorCall,
  missing,
  readAnchor
} from "./AnchorCall.ts"
import { returnedWord } from "./Answers.ts"
import { currentOf, leading } from "./Ground.ts"
import { hookAssociation } from "./HookAssociation.ts"
import { mapInquiry } from "./Inquiry.ts"
import { isRevnetContract, revnetAssociation } from "./RevnetAssociation.ts"
import { AssociationUnsupported } from "./refusals.ts"

const CORE = "@bananapus/core-v6:src"
const CONTROLLER = `${CORE}/JBController.sol:JBController`
const DIRECTORY = `${CORE}/JBDirectory.sol:JBDirectory`
const TOKENS = `${CORE}/JBTokens.sol:JBTokens`

interface Adapter {
  readonly anchor: string
  readonly signature: string
  /** Whether the anchor's answer is the one address, so that none need be given. */
  readonly locates: boolean
}

const terminals: Adapter = { anchor: DIRECTORY, signature: "terminalsOf(uint256)", locates: false }

const ADAPTERS = new Map<string, Adapter>([
  [CONTROLLER, { anchor: DIRECTORY, signature: "controllerOf(uint256)", locates: true }],
  [`${CORE}/JBERC20.sol:JBERC20`, { anchor: TOKENS, signature: "tokenOf(uint256)", locates: true }],
  [`${CORE}/JBMultiTerminal.sol:JBMultiTerminal`, terminals],
  ["@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry", terminals]
])

const checksummed = Schema.typeSchema(Address)

const OneOrMore = Schema.Tuple(Schema.Union(checksummed, Schema.Array(checksummed)))

const direct = (anchor: AnchorCall, project: AnchoredProject, adapter: Adapter): Association => {
  const { projectId } = project
  const read = readAnchor(anchor, project, OneOrMore)
  const context = { projectId, association: anchor.association, anchor: anchor.address }
  return {
    locates: adapter.locates,
    projectId,
    find: ground => {
      const only = currentOf(ground.catalog, project.chainId, project.contractId)
      const guess = Option.map(only, row => returnedWord(row.address))
      const question = leading(ground, anchor.ask([projectId]), Option.getOrUndefined(guess))
      return mapInquiry(question, outcome =>
        Either.flatMap(read(outcome), ([said]) => {
          const addresses = [said].flat().filter(address => address !== ZERO_ADDRESS)
          return Array.isNonEmptyReadonlyArray(addresses)
            ? Either.right({ addresses, context })
            : Either.left(missing(project))
        })
      )
    }
  }
}

export const associationOf = Effect.fn("Association.of")(function* (
  catalog: CatalogShape,
  project: AnchoredProject
) {
  const { chainId, contractId } = project
  if (contractId === TIERS_HOOK) return yield* hookAssociation(catalog, project)
  if (isRevnetContract(contractId)) return yield* revnetAssociation(catalog, project)
  const adapter = ADAPTERS.get(contractId)
  if (adapter === undefined) return yield* new AssociationUnsupported({ context: { contractId } })
  const anchor = yield* anchorCall(catalog, chainId, adapter.anchor, adapter.signature)
  return direct(anchor, project, adapter)
})
