/** Claims a step and sends what its claim is for: a request that is given up leaves no claim behind whose bytes are not being sent. */
import { Effect, Option } from "effect"
import type { Approval } from "../auth/OwnerApproval.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { admit } from "./Admission.ts"
import { Broadcast, type Leaving } from "./Broadcast.ts"
import type { Submission } from "./ClaimStore.ts"

/** The plan once the outcome is stored; none where another claim has the step, or the sending goes on. */
export const leave = (submission: Submission, approval: Approval, plan: StoredPlan, send: Leaving["send"]) =>
  Effect.flatMap(admit(submission, approval, plan), lease =>
    Option.isNone(lease)
      ? Effect.succeedNone
      : Effect.flatMap(Broadcast, broadcast =>
          broadcast.send({ hash: submission.bound.hash, send }, lease.value)
        )
  ).pipe(Effect.uninterruptible)
