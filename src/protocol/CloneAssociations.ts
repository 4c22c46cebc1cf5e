/** What ties a clone to its factory in each family, as far as the chain tells it. */
import { Either } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { type CloneFamily, PROOFS } from "../catalog/CloneFamilies.ts"
import { type Address, ZERO_ADDRESS } from "../values/Scalars.ts"
import {
  addressIn,
  type CheckedAnswer,
  type Flaw,
  flawed,
  invocation,
  numberIn,
  positiveIn,
  returnedWord,
  sameAddress,
  trueIn
} from "./Answers.ts"
import { anchorOf, type Ground, leading, nameOf } from "./Ground.ts"
import { all, type Inquiry, inquireCall, mapInquiry, settled, thenAsking, zipWith } from "./Inquiry.ts"

export interface Finding {
  readonly name: string
  readonly flaw: Flaw | undefined
}

export interface Tie {
  /** Undefined where the association does not name it. */
  readonly factory: CheckedAnswer<Deployment> | undefined
  readonly projectId: bigint | undefined
  readonly findings: ReadonlyArray<Finding>
}

/** A clone to prove, of which the caller may already say whose project's it should be. */
export interface CloneCandidate {
  readonly family: CloneFamily
  readonly address: Address
  readonly projectId: string | undefined
  readonly factories: ReadonlyArray<Deployment>
}

/** Whether an address is a tiers hook's clone that its factory proves. */
export type ProveHook = (
  address: Address
) => Inquiry<CheckedAnswer<{ readonly projectId: bigint | undefined }>>

type Associate = (ground: Ground, candidate: CloneCandidate, proveHook: ProveHook) => Inquiry<Tie>

const REGISTRY = "@bananapus/address-registry-v6:src/JBAddressRegistry.sol:JBAddressRegistry"
const SUCKERS = "@bananapus/suckers-v6:src/JBSuckerRegistry.sol:JBSuckerRegistry"

export const finding = (name: string, answer: CheckedAnswer<unknown>): Finding => ({
  name,
  flaw: Either.isLeft(answer) ? answer.left : undefined
})

const untied = (names: ReadonlyArray<string>, flaw: Flaw): Tie => ({
  factory: Either.left(flaw),
  projectId: undefined,
  findings: names.map(name => ({ name, flaw }))
})

/** What a clone's project says of it. */
interface Use {
  readonly id: bigint | undefined
  readonly findings: ReadonlyArray<Finding>
}

const factoryAmong = (
  { family, factories }: CloneCandidate,
  answer: CheckedAnswer<Address>
): CheckedAnswer<Deployment> =>
  Either.flatMap(answer, address => {
    const factory = factories.find(row => row.address === address)
    return factory === undefined
      ? flawed(`the answer is ${address}, which is no published ${nameOf(family.factory)}`)
      : Either.right(factory)
  })

const numberOf = (answer: CheckedAnswer<bigint>): bigint | undefined =>
  Either.isRight(answer) ? answer.right : undefined

/** JBTokens is both the factory and the anchor, so only the current one counts. */
const byTokens: Associate = (ground, { family, address, projectId }) => {
  const tokens = anchorOf(ground, family.factory)
  if (Either.isLeft(tokens)) return settled(untied(family.proofs, tokens.left))
  const store = tokens.right.address
  const expected = projectId === undefined ? undefined : returnedWord(projectId)
  const project = leading(ground, invocation(store, "projectIdOf(address)", address), expected)
  const bothWays = thenAsking(project, (outcome): Inquiry<Use> => {
    const id = positiveIn(outcome)
    if (Either.isLeft(id)) return settled({ id: undefined, findings: [finding(PROOFS.tokenProject, id)] })
    return mapInquiry(inquireCall(invocation(store, "tokenOf(uint256)", id.right)), token => ({
      id: id.right,
      findings: [finding(PROOFS.tokenProject, id), finding(PROOFS.projectToken, sameAddress(address)(token))]
    }))
  })
  return zipWith(bothWays, inquireCall(invocation(address, "tokens()")), ({ id, findings }, outcome) => ({
    factory: tokens,
    projectId: id,
    findings: [...findings, finding(PROOFS.tokenStore, sameAddress(store)(outcome))]
  }))
}

const byRegistry: Associate = (ground, candidate) => {
  const { address, family } = candidate
  const registry = anchorOf(ground, REGISTRY)
  if (Either.isLeft(registry)) return settled(untied(family.proofs, registry.left))
  const deployer = mapInquiry(
    inquireCall(invocation(registry.right.address, "deployerOf(address)", address)),
    outcome => factoryAmong(candidate, addressIn(outcome))
  )
  const registered = mapInquiry(deployer, factory => ({
    factory,
    projectId: undefined,
    findings: [finding(PROOFS.registered, factory)]
  }))
  if (!family.proofs.includes(PROOFS.project)) return registered
  return zipWith(registered, inquireCall(invocation(address, "projectId()")), (tie, outcome) => ({
    ...tie,
    projectId: numberOf(positiveIn(outcome)),
    findings: [...tie.findings, finding(PROOFS.project, positiveIn(outcome))]
  }))
}

const byHook: Associate = (ground, { address }, proveHook) =>
  thenAsking(leading(ground, invocation(address, "hook()")), (outcome): Inquiry<Tie> => {
    const hook = addressIn(outcome)
    if (Either.isLeft(hook)) return settled({ ...untied([PROOFS.hook], hook.left), factory: undefined })
    return zipWith(
      proveHook(hook.right),
      inquireCall(invocation(hook.right, "checkpoints()")),
      (proved, checkpoints): Tie => ({
        factory: undefined,
        projectId: Either.isRight(proved) ? proved.right.projectId : undefined,
        findings: [
          finding(PROOFS.hook, proved),
          finding(PROOFS.checkpoints, sameAddress(address)(checkpoints))
        ]
      })
    )
  })

const inUse = (project: CheckedAnswer<bigint>, owner: CheckedAnswer<Address>): CheckedAnswer<unknown> =>
  Either.flatMap(Either.all({ project, owner }), said =>
    said.project === 0n && said.owner === ZERO_ADDRESS ? flawed("both are zero") : Either.right(said)
  )

const byPayer: Associate = (_, candidate) => {
  const ask = (signature: string) => inquireCall(invocation(candidate.address, signature))
  const use = zipWith(ask("defaultProjectId()"), ask("owner()"), (project, owner) =>
    inUse(numberIn(project), addressIn(owner))
  )
  return zipWith(ask("DEPLOYER()"), use, (outcome, used): Tie => {
    const factory = factoryAmong(candidate, addressIn(outcome))
    return {
      factory,
      projectId: undefined,
      findings: [finding(PROOFS.payerDeployer, factory), finding(PROOFS.payerUse, used)]
    }
  })
}

const bySuckers: Associate = (ground, candidate) => {
  const { address, factories, family } = candidate
  const registry = anchorOf(ground, SUCKERS)
  if (Either.isLeft(registry)) return settled(untied(family.proofs, registry.left))
  const known = all(factories.map(row => inquireCall(invocation(row.address, "isSucker(address)", address))))
  const made = zipWith(known, inquireCall(invocation(address, "deployer()")), (answers, outcome) => {
    const factory = factoryAmong(candidate, addressIn(outcome))
    const answer = Either.flatMap(factory, row => {
      const said = answers[factories.indexOf(row)]
      return said === undefined ? flawed("the factory was not asked") : trueIn(said)
    })
    return { factory, findings: [finding(PROOFS.isSucker, answer), finding(PROOFS.suckerDeployer, factory)] }
  })
  const used = thenAsking(leading(ground, invocation(address, "projectId()")), (outcome): Inquiry<Use> => {
    const id = positiveIn(outcome)
    if (Either.isLeft(id)) return settled({ id: undefined, findings: [finding(PROOFS.projectSucker, id)] })
    const question = invocation(registry.right.address, "isSuckerOf(uint256,address)", id.right, address)
    return mapInquiry(inquireCall(question), said => ({
      id: id.right,
      findings: [finding(PROOFS.projectSucker, trueIn(said))]
    }))
  })
  return zipWith(made, used, ({ factory, findings }, project) => ({
    factory,
    projectId: project.id,
    findings: [...findings, ...project.findings]
  }))
}

const ASSOCIATIONS: Readonly<Record<CloneFamily["association"], Associate>> = {
  "JBTokens.projectIdOf(address)": byTokens,
  "JBAddressRegistry.deployerOf(address)": byRegistry,
  "JB721TiersHook.checkpoints()": byHook,
  "JBProjectPayer.DEPLOYER()": byPayer,
  "JBSuckerRegistry.isSuckerOf(uint256,address)": bySuckers
}

export const associate: Associate = (ground, candidate, proveHook) =>
  ASSOCIATIONS[candidate.family.association](ground, candidate, proveHook)
