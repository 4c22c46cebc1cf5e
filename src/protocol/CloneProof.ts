/** Whether an address is a minimal proxy that a published factory made and stands for. */
import { Either } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { type CloneFamily, familyOf, TIERS_HOOK } from "../catalog/CloneFamilies.ts"
import type { CallOutcome } from "../chain/ChainClient.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { addressIn, type CheckedAnswer, flawed, invocation, nodeRefused, sameAddress } from "./Answers.ts"
import { associate, type Finding, finding, type ProveHook, type Tie } from "./CloneAssociations.ts"
import { type Ground, nameOf } from "./Ground.ts"
import {
  all,
  type Inquiry,
  inquireCall,
  inquireCode,
  mapInquiry,
  settled,
  thenAsking,
  zipWith
} from "./Inquiry.ts"
import { isProxy, type MinimalProxy, minimalProxyOf } from "./MinimalProxy.ts"
import { ProvenanceUnverified, TargetUnverified } from "./refusals.ts"

export interface Inspection {
  readonly family: CloneFamily
  readonly code: Hex
  readonly proxy: CheckedAnswer<MinimalProxy>
  readonly implementationCode: Hex
  readonly factory: Deployment | undefined
  readonly projectId: bigint | undefined
  readonly findings: ReadonlyArray<Finding>
}

const proxyIn = ({ standard }: CloneFamily, bytes: Hex): CheckedAnswer<MinimalProxy> => {
  const proxy = minimalProxyOf(bytes)
  if (proxy?.standard === standard) return Either.right(proxy)
  if (proxy !== undefined) return flawed(`the code is the ${proxy.standard} proxy`)
  if (bytes === "0x") return flawed("there is no code")
  return flawed(`the code of ${bytes.length / 2 - 1} bytes is no such proxy`)
}

interface Getter {
  readonly row: Deployment
  readonly outcome: CallOutcome
}

/** The factory that the clone's association names, or else the one that makes this implementation now. */
const ownFactory = ({ factory }: Tie, getters: ReadonlyArray<Getter>, implementation: Address) => {
  if (factory !== undefined && Either.isRight(factory)) {
    return getters.find(({ row }) => row.address === factory.right.address)
  }
  return getters.find(({ outcome }) => Either.isRight(sameAddress(implementation)(outcome)))
}

const getterName = ({ factory, getter }: CloneFamily) => `${nameOf(factory)}.${getter} = implementation`

const codeName = ({ standard }: CloneFamily) => `code(clone) is the exact ${standard} proxy`

const IMPLEMENTATION = "code(implementation) is not a proxy"

const makes = (
  { factory }: CloneFamily,
  getters: ReadonlyArray<Getter>,
  own: Getter | undefined,
  implementation: Address
): CheckedAnswer<unknown> => {
  if (own !== undefined) return sameAddress(implementation)(own.outcome)
  const [only, another] = getters
  if (only === undefined) return flawed(`the chain has no published ${nameOf(factory)}`)
  if (another === undefined) return sameAddress(implementation)(only.outcome)
  const unread = getters.map(({ outcome }) => addressIn(outcome)).find(Either.isLeft)
  return unread ?? flawed(`no published ${nameOf(factory)} makes clones of ${implementation}`)
}

const soundImplementation = (bytes: Hex): CheckedAnswer<Hex> => {
  if (bytes === "0x") return flawed("there is no code")
  return isProxy(bytes) ? flawed("the code is a proxy") : Either.right(bytes)
}

const inspected = (
  family: CloneFamily,
  bytes: Hex,
  implementationCode: Hex,
  tie: Tie,
  getters: ReadonlyArray<Getter>
): Inspection => {
  const proxy = proxyIn(family, bytes)
  const shape = finding(codeName(family), proxy)
  const base = { family, code: bytes, proxy, implementationCode, projectId: tie.projectId }
  if (Either.isLeft(proxy)) return { ...base, factory: undefined, findings: [shape, ...tie.findings] }
  const { implementation } = proxy.right
  const own = ownFactory(tie, getters, implementation)
  return {
    ...base,
    factory: own?.row,
    findings: [
      shape,
      finding(getterName(family), makes(family, getters, own, implementation)),
      finding(IMPLEMENTATION, soundImplementation(implementationCode)),
      ...tie.findings
    ]
  }
}

/** The published ones are read before the clone says which is its own. */
const implementationsOf = ({ catalog, chainId }: Ground, { implementation }: CloneFamily) => {
  const rows = catalog.deployments(chainId, implementation).filter(row => !row.clone)
  return mapInquiry(all(rows.map(row => inquireCode(row.address))), codes => (address: Address) => {
    const known = codes[rows.findIndex(row => row.address === address)]
    return known === undefined ? inquireCode(address) : settled(known)
  })
}

export const inspectClone = (
  ground: Ground,
  family: CloneFamily,
  address: Address,
  projectId: string | undefined
): Inquiry<Inspection> => {
  const factories = ground.catalog.deployments(ground.chainId, family.factory)
  const getters = all(
    factories.map(row =>
      mapInquiry(inquireCall(invocation(row.address, family.getter)), outcome => ({ row, outcome }))
    )
  )
  const implementation = thenAsking(
    zipWith(inquireCode(address), implementationsOf(ground, family), (bytes, codeOf) => ({ bytes, codeOf })),
    ({ bytes, codeOf }) => {
      const proxy = minimalProxyOf(bytes)
      const found: Inquiry<Hex> = proxy === undefined ? settled("0x") : codeOf(proxy.implementation)
      return mapInquiry(found, implementationCode => ({ bytes, implementationCode }))
    }
  )
  const tie = associate(ground, { family, address, projectId, factories }, proveHook(ground))
  return zipWith(
    zipWith(implementation, getters, (codes, answers) => ({ ...codes, answers })),
    tie,
    ({ bytes, implementationCode, answers }, said) =>
      inspected(family, bytes, implementationCode, said, answers)
  )
}

const proveHook =
  (ground: Ground): ProveHook =>
  address => {
    const family = familyOf(TIERS_HOOK)
    if (family === undefined) return settled(flawed("there is no such family"))
    return mapInquiry(inspectClone(ground, family, address, undefined), ({ findings, projectId }) => {
      const failed = findings.find(({ flaw }) => flaw !== undefined)
      if (failed?.flaw === undefined) return Either.right({ projectId })
      return Either.left({ ...failed.flaw, reason: `${failed.name}: ${failed.flaw.reason}` })
    })
  }

/** A proof that failed decides; one that the node left open refuses without a verdict. */
export const inspectionRefusal = (
  { proxy, findings }: Inspection,
  context: { readonly chainId: number; readonly contractId: string; readonly address: Address },
  published: boolean
) => {
  const proofs = findings.flatMap(({ name, flaw }) =>
    flaw === undefined || flaw.rpcCode !== undefined ? [] : [{ name, reason: flaw.reason }]
  )
  if (Either.isLeft(proxy) && !published) {
    return new TargetUnverified({ context: { ...context, proofs: proofs.slice(0, 1) } })
  }
  if (proofs.length > 0) return new ProvenanceUnverified({ context: { ...context, proofs } })
  const open = findings.find(({ flaw }) => flaw !== undefined)?.flaw?.rpcCode
  return open === undefined ? undefined : nodeRefused(open)
}
