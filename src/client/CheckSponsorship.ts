/** Whether a sponsorship's requests are exactly the plan's own calls, before any of them is signed. */
import type { ContractDetail } from "../catalog/CatalogSchemas.ts"
import type { Plan } from "../plans/Plan.ts"
import { committedSponsorshipText } from "../sponsorship/CommittedSponsorship.ts"
import type { Authorization, Sponsorship } from "../sponsorship/Sponsorship.ts"
import { forwardRequestDigest } from "../values/ForwardRequest.ts"
import { believedSeconds, type ToldClock } from "./BelievedSeconds.ts"
import { checkedPlan, textDigest } from "./Commitment.ts"
import { AlteredPlan } from "./Errors.ts"
import { isDone } from "./StepStanding.ts"

/** What a client tells of itself and of the catalog. */
export interface CheckingClient {
  readonly account: string
  readonly principalId: string
  readonly catalog: { readonly contract: (id: string) => Promise<ContractDetail> }
  readonly clock: ToldClock
}

export interface PlanToSponsor {
  readonly client: CheckingClient
  /** Whose calls the requests are to be, as it is now. */
  readonly plan: Plan
  readonly sponsorship: Sponsorship
}

interface SponsorshipToCheck extends PlanToSponsor {
  /** Published ones are looked at too. */
  readonly signs?: boolean
}

const FORWARDER = "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"
/** From the block that a request rests on, or from now where that is later. */
const LONGEST_SECONDS = 172_800
const LEAST_GAS = 21_000
const MOST_GAS = 30_000_000

const isSame = (left: string, right: string | undefined): boolean =>
  left.toLowerCase() === right?.toLowerCase()

const isPinned = (
  { chainId, forwarder, forwarderCodeHash, domain }: Authorization,
  { deployments }: ContractDetail
): boolean =>
  domain.chainId === chainId &&
  isSame(domain.verifyingContract, forwarder) &&
  deployments
    .filter(each => each.chainId === chainId)
    .flatMap(({ instances }) => instances)
    .some(
      ({ address, retired, clone, runtimeCodeHash, constructorArguments }) =>
        isSame(forwarder, address) &&
        !(retired || clone) &&
        runtimeCodeHash === forwarderCodeHash &&
        constructorArguments?.some(each => Object(each).name === "name" && Object(each).value === domain.name)
    )

const isPlausible = ({ message, evidence }: Authorization, seconds: number): boolean => {
  const [gas, deadline] = [Number(message.gas), Number(message.deadline)]
  return (
    gas >= LEAST_GAS &&
    gas <= MOST_GAS &&
    deadline > Number(evidence.timestamp) &&
    deadline <= seconds + LONGEST_SECONDS
  )
}

/** A step that left or was executed is not signed again, nor one before its turn. */
const isPlanned = (
  { stepIndex, chainId, message }: Authorization,
  { plan, signs }: SponsorshipToCheck
): boolean => {
  const { calls, steps, account } = plan
  const call = calls[stepIndex]
  return (
    call?.chainId === chainId &&
    !(signs && (steps[stepIndex]?.state !== "ready" || call.dependsOn.some(each => !isDone(plan, each)))) &&
    isSame(message.from, account) &&
    isSame(message.to, call.to) &&
    message.value === call.value &&
    message.data === call.data
  )
}

const faultOf = (
  request: Sponsorship["authorizations"][number],
  about: SponsorshipToCheck,
  catalogued: ContractDetail
): string | undefined => {
  const { client, plan } = about
  const { stepIndex, chainId, domain, message, digest } = request
  const checks = {
    "call, wallet or turn": isPlanned(request, about),
    forwarder: isPinned(request, catalogued),
    digest: forwardRequestDigest(domain, message) === digest,
    "gas or deadline": isPlausible(request, believedSeconds(client.clock, plan, chainId))
  }
  const [wrong] = Object.entries(checks).find(([, isRight]) => !isRight) ?? []
  return wrong && `the request of step ${stepIndex} has another ${wrong}`
}

/** Rejects with `AlteredPlan` where anything differs from the plan, the catalog or what is computed here. */
export const checkSponsorship = async (about: SponsorshipToCheck): Promise<void> => {
  const { client, plan, sponsorship } = about
  const { account: accountId, principalId, catalog } = client
  const { authorizations, planId, planCommitment, publicationExpiresAt, commitment } = sponsorship
  await checkedPlan(plan, { accountId, principalId })
  const isOfPlan =
    planId === plan.id &&
    planCommitment === plan.commitment &&
    publicationExpiresAt === plan.expiresAt &&
    new Set(authorizations.map(({ stepIndex }) => stepIndex)).size === authorizations.length
  const text = committedSponsorshipText(sponsorship, { accountId, principalId })
  if (!isOfPlan || (await textDigest(text)) !== commitment)
    throw new AlteredPlan(plan.id, "its commitment differs")
  const catalogued = await catalog.contract(FORWARDER)
  for (const request of authorizations) {
    const fault = faultOf(request, about, catalogued)
    if (fault !== undefined) throw new AlteredPlan(plan.id, fault)
  }
}
