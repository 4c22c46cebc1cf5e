/** Whether a sucker is one of a project's, and which contract of the catalog it is a clone of. */
import { Effect, Schema } from "effect"
import { PinnedContracts, type PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { SuckerProjectMismatch, UntrustedSucker } from "./refusals.ts"

const CLONED = ["JBOptimismSucker", "JBBaseSucker", "JBArbitrumSucker", "JBCCIPSucker"] as const

/** What no recorded deployer made has the interface of every sucker all the same. */
const ANY_SUCKER = "JBSucker" as const

interface Asked {
  readonly project: { readonly projectId: string }
  readonly sucker: Address
}

/** The catalog's name of what a sucker is a clone of. */
export type SuckerContract = (typeof CLONED)[number] | typeof ANY_SUCKER

/** One round trip; the registry's word comes first. */
export const readSucker = Effect.fn("Bridges.sucker")(function* (
  snapshot: PinnedSnapshot,
  { project: { projectId }, sucker }: Asked
) {
  const { names } = yield* PinnedContracts
  const answers = yield* eachAtOnce({
    isListed: snapshot.read("JBSuckerRegistry", "isSuckerOf", [projectId, sucker], Schema.Boolean),
    told: snapshot.readAt("JBSucker", sucker, "projectId", [], Uint256),
    deployer: snapshot.readAt("JBSucker", sucker, "deployer", [], Address)
  })
  if (!(yield* answers.isListed)) return yield* new UntrustedSucker({ context: { projectId, sucker } })
  const told = yield* answers.told
  if (told !== projectId) return yield* new SuckerProjectMismatch({ context: { projectId, told } })
  const deployer = yield* answers.deployer
  const contract = CLONED.find(name =>
    names.deploymentsOf(snapshot.chainId, `${name}Deployer`).some(({ address }) => address === deployer)
  )
  return contract ?? ANY_SUCKER
})
