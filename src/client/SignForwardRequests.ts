/** A sponsorship's requests signed by the wallet, and a bot's publication of them approved by the owner. */
import { forwarderDomainMembers, forwardRequestMembers } from "../values/ForwardRequest.ts"
import { checkSponsorship, type PlanToSponsor } from "./CheckSponsorship.ts"
import { requireWalletOf } from "./Commitment.ts"
import { type Signer, signPayload } from "./Signer.ts"

const types = { EIP712Domain: forwarderDomainMembers, ForwardRequest: forwardRequestMembers }

/**
 * One signature for each request, in their order. Before the wallet is asked, commitment, calls, forwarders and digests are
 * computed anew from the plan and the catalog: rejects with `AlteredPlan` where anything differs. A signature
 * is put into `made`, by its digest, before the next is asked for: call again with it after `WalletChainMismatch`.
 */
export const signForwardRequests = async (
  wallet: Signer,
  about: PlanToSponsor,
  made: Record<string, string> = {}
): Promise<ReadonlyArray<string>> => {
  const { plan, sponsorship } = about
  requireWalletOf(plan, wallet)
  await checkSponsorship({ ...about, signs: true })
  const signatures: Array<string> = []
  for (const { domain, message, digest } of sponsorship.authorizations) {
    made[digest] ??= await signPayload(wallet, { types, primaryType: "ForwardRequest", domain, message })
    signatures.push(made[digest])
  }
  return signatures
}
