/** A plan by which a wallet's owners enable or revoke a session: where it is, and until when it can be sent. */
import { pagePath } from "../../review/PagePath.ts"
import type { LifecyclePlan } from "../../sessions/Session.ts"
import { Time } from "../app/Times.tsx"
import type { Acting } from "./SessionDesk.ts"

interface Standing {
  readonly acting: Acting
  readonly plan: LifecyclePlan
  readonly title: string
  /** On the service's clock, in milliseconds. */
  readonly now: number
}

export const LifecycleStanding = ({ acting: { seat }, plan, title, now }: Standing) => {
  const { account, principalId } = seat.desk.owner
  return (
    <p>
      <a href={pagePath(plan.planId, account, principalId)}>{title}</a>, prepared{" "}
      <Time millis={plan.issuedAt} now={now} />;{" "}
      {plan.expiresAt > now
        ? "its operation is prepared there, signed by the owners and sent by "
        : "nothing more is sent of it since "}
      <Time millis={plan.expiresAt} now={now} />.
    </p>
  )
}
