/** Which tiers hook the current ruleset of a project uses: its data hook, or the one behind it. */
import { Effect, Either, Option, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { Address, ZERO_ADDRESS } from "../values/Scalars.ts"
import {
  type AnchorCall,
  type AnchoredProject,
  type Association,
  type AssociationRefusal,
  anchorCall,
  type FoundAnchor,
  missing,
  readAnchor
} from "./AnchorCall.ts"
import { type Ground, leading } from "./Ground.ts"
import { type Inquiry, mapInquiry, settled, thenAsking, zipWith } from "./Inquiry.ts"

const CONTROLLER = "@bananapus/core-v6:src/JBController.sol:JBController"
const REVNETS = "@rev-net/core-v6:src/REVOwner.sol:REVOwner"
const OMNICHAIN = "@bananapus/omnichain-deployers-v6:src/JBOmnichainDeployer.sol:JBOmnichainDeployer"

interface Anchors {
  readonly rulesets: AnchorCall
  /** The hooks of the protocol that pass on to a tiers hook, where the chain has them. */
  readonly revnets: Option.Option<AnchorCall>
  readonly omnichain: Option.Option<AnchorCall>
}

type Finding = Either.Either<FoundAnchor, AssociationRefusal>

const checksummed = Schema.typeSchema(Address)
const CurrentRuleset = Schema.Tuple(
  Schema.Struct({ id: Schema.String }),
  Schema.Struct({ dataHook: checksummed })
)
const OneAddress = Schema.Tuple(checksummed)
const AddressAndFlag = Schema.Tuple(checksummed, Schema.Boolean)

const found = (project: AnchoredProject, anchor: AnchorCall, hook: Address): Finding =>
  hook === ZERO_ADDRESS
    ? Either.left(missing(project))
    : Either.right({
        addresses: [hook],
        context: { projectId: project.projectId, association: anchor.association, anchor: anchor.address }
      })

const isAt = (anchor: Option.Option<AnchorCall>, address: Address): anchor is Option.Some<AnchorCall> =>
  Option.exists(anchor, call => call.address === address)

/** The revnets' hook is asked for at once, because it needs no ruleset to be known. */
const find = (anchors: Anchors, project: AnchoredProject) => (ground: Ground) => {
  const { rulesets, revnets, omnichain } = anchors
  const { projectId } = project
  const readRuleset = readAnchor(rulesets, project, CurrentRuleset)
  const revnetHook: Inquiry<CallOutcome | null> = Option.match(revnets, {
    onNone: () => settled(null),
    onSome: anchor => leading(ground, anchor.ask([projectId]))
  })
  const behind = (ruleset: CallOutcome, revnet: CallOutcome | null): Inquiry<Finding> => {
    const current = readRuleset(ruleset)
    if (Either.isLeft(current)) return settled(Either.left(current.left))
    const [{ id }, { dataHook }] = current.right
    if (isAt(revnets, dataHook) && revnet !== null) {
      const hook = readAnchor(revnets.value, project, OneAddress)(revnet)
      return settled(Either.flatMap(hook, ([address]) => found(project, revnets.value, address)))
    }
    if (!isAt(omnichain, dataHook)) return settled(found(project, rulesets, dataHook))
    const read = readAnchor(omnichain.value, project, AddressAndFlag)
    return mapInquiry(leading(ground, omnichain.value.ask([projectId, id])), outcome =>
      Either.flatMap(read(outcome), ([address]) => found(project, omnichain.value, address))
    )
  }
  const asked = zipWith(
    leading(ground, rulesets.ask([projectId])),
    revnetHook,
    (ruleset, revnet) => [ruleset, revnet] as const
  )
  return thenAsking(asked, ([ruleset, revnet]) => behind(ruleset, revnet))
}

export const hookAssociation = Effect.fn("HookAssociation.of")(function* (
  catalog: CatalogShape,
  project: AnchoredProject
) {
  const at = (contractId: string, signature: string) =>
    anchorCall(catalog, project.chainId, contractId, signature)
  const anchors: Anchors = {
    rulesets: yield* at(CONTROLLER, "currentRulesetOf(uint256)"),
    revnets: yield* Effect.option(at(REVNETS, "tiered721HookOf(uint256)")),
    omnichain: yield* Effect.option(at(OMNICHAIN, "tiered721HookOf(uint256,uint256)"))
  }
  const association: Association = {
    locates: true,
    projectId: project.projectId,
    find: find(anchors, project)
  }
  return association
})
