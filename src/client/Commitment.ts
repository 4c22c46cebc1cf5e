/** What a plan's commitment stands for, recomputed from the plan itself. */
import { committedText, type PlanOwnership } from "../plans/CommittedText.ts"
import type { Plan } from "../plans/Plan.ts"
import { AlteredPlan, ClientMisuse } from "./Errors.ts"

export type { PlanOwnership }

/** `0x` and the SHA-256 of a text. */
export const textDigest = async (text: string): Promise<`0x${string}`> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
  return `0x${Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("")}`
}

/** `0x` and the SHA-256 of the canonical JSON of everything the plan commits to; needs WebCrypto, so a secure context in browsers. */
export const commitmentOf = (plan: Plan, ownership: PlanOwnership): Promise<string> =>
  textDigest(committedText(plan, ownership))

/** Whether the plan shown is the plan committed to; do not sign a call of a plan for which this is false. */
export const checkCommitment = async (plan: Plan, ownership: PlanOwnership): Promise<boolean> =>
  (await commitmentOf(plan, ownership)) === plan.commitment

/** The plan as it was given; rejects with `AlteredPlan` where it is not the plan committed to. */
export const checkedPlan = async <Shown extends Plan>(
  plan: Shown,
  ownership: PlanOwnership
): Promise<Shown> => {
  if (await checkCommitment(plan, ownership)) return plan
  throw new AlteredPlan(plan.id)
}

export const requireWalletOf = ({ account }: Plan, { address }: { readonly address: string }): void => {
  if (address.toLowerCase() !== account.toLowerCase())
    throw new ClientMisuse(`The plan is for the wallet ${account}, not for ${address}.`)
}

/** The first of the principals whose plan this is; an owner also sees plans of bots, whose commitments name their grants. */
export const committedFor = async (
  plan: Plan,
  accountId: string,
  principals: Iterable<string>
): Promise<string | undefined> => {
  for (const principalId of principals)
    if (await checkCommitment(plan, { accountId, principalId })) return principalId
  return undefined
}
