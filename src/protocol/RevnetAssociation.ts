/** Whether a project is a revnet of the contracts that are published as the current ones. */
import { Effect, Either, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import { Address, Bytes32 } from "../values/Scalars.ts"
import {
  type AnchorCall,
  type AnchoredProject,
  type Association,
  type AssociationRefusal,
  anchorCall,
  currentAnchor,
  missing,
  readAnchor
} from "./AnchorCall.ts"
import { inquireCall, mapInquiry, zipWith } from "./Inquiry.ts"
import { ProjectAssociationMismatch } from "./refusals.ts"

const REVNETS = "@rev-net/core-v6:src"
const DEPLOYER = `${REVNETS}/REVDeployer.sol:REVDeployer`
const OWNER = `${REVNETS}/REVOwner.sol:REVOwner`
const LOANS = `${REVNETS}/REVLoans.sol:REVLoans`
const PROJECTS = "@bananapus/core-v6:src/JBProjects.sol:JBProjects"
const CONTRACTS = [DEPLOYER, OWNER, LOANS]
const NO_HASH = `0x${"00".repeat(32)}`

export const isRevnetContract = (contractId: string): boolean => CONTRACTS.includes(contractId)

type Agreement = Either.Either<unknown, AssociationRefusal>

const OneAddress = Schema.Tuple(Schema.typeSchema(Address))
const OneHash = Schema.Tuple(Bytes32)

const configured = (question: AnchorCall, project: AnchoredProject) => {
  const read = readAnchor(question, project, OneHash)
  return mapInquiry(
    inquireCall(question.ask([project.projectId])),
    (outcome): Agreement =>
      Either.flatMap(read(outcome), ([hash]) =>
        hash === NO_HASH ? Either.left(missing(project)) : Either.right(hash)
      )
  )
}

const agrees = (
  question: AnchorCall,
  args: ReadonlyArray<string>,
  project: AnchoredProject,
  expected: Address
) => {
  const read = readAnchor(question, project, OneAddress)
  const { address: anchor, association } = question
  return mapInquiry(
    inquireCall(question.ask(args)),
    (outcome): Agreement =>
      Either.flatMap(read(outcome), ([actual]) =>
        actual === expected
          ? Either.right(actual)
          : Either.left(
              new ProjectAssociationMismatch({
                context: { ...project, association, anchor, expected, actual }
              })
            )
      )
  )
}

/** The first that fails decides. */
const both = (a: Agreement, b: Agreement): Agreement => Either.flatMap(a, () => b)

export const revnetAssociation = Effect.fn("RevnetAssociation.of")(function* (
  catalog: CatalogShape,
  project: AnchoredProject
) {
  const { chainId, contractId, projectId } = project
  const at = (id: string, signature: string) => anchorCall(catalog, chainId, id, signature)
  const configuration = yield* at(DEPLOYER, "hashedEncodedConfigurationOf(uint256)")
  const projectOwner = yield* at(PROJECTS, "ownerOf(uint256)")
  const deployersLoans = yield* at(DEPLOYER, "LOANS()")
  const ownersLoans = yield* at(OWNER, "LOANS()")
  const { address: loans } = yield* currentAnchor(catalog, chainId, LOANS)
  const { address } = yield* currentAnchor(catalog, chainId, contractId)
  const context = { projectId, association: configuration.association, anchor: configuration.address }
  const association: Association = {
    locates: false,
    projectId,
    find: () => {
      const agreement = [
        agrees(projectOwner, [projectId], project, ownersLoans.address),
        agrees(deployersLoans, [], project, loans),
        agrees(ownersLoans, [], project, loans)
      ].reduce((before, next) => zipWith(before, next, both), configured(configuration, project))
      return mapInquiry(agreement, agreed =>
        Either.map(agreed, () => ({ addresses: [address] as const, context }))
      )
    }
  }
  return association
})
