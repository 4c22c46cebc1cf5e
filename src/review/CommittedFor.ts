/** Whose plan it is, by its commitment computed here: nobody's word is taken for it. */
import { checkCommitment } from "../client/Commitment.ts"
import type { Plan } from "../plans/Plan.ts"

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
