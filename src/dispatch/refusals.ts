import { type AnyRefusal, Refusal } from "../values/Refusal.ts"

export class StepAlreadyBound extends Refusal("STEP_ALREADY_BOUND") {}
export class TransportConflict extends Refusal("TRANSPORT_CONFLICT") {}
export class NonceReserved extends Refusal("NONCE_RESERVED") {}
export class StepStateUncertain extends Refusal("STEP_STATE_UNCERTAIN") {}
export class BroadcastPersistenceUncertain extends Refusal("BROADCAST_PERSISTENCE_UNCERTAIN") {}
export class SenderBalanceTooLow extends Refusal("INSUFFICIENT_BALANCE") {}
/** Nothing is published twice, and nothing is funded twice. */
export class SponsorshipConflict extends Refusal("SPONSORSHIP_CONFLICT") {}
export const PAID_PERHAPS =
  "It was published before this service was restored from a backup: whether it was paid for since is not known here. Look for its payment on the chain."
/** Of what others are to execute, which is never sent again. */
export class DispatchPersistenceUncertain extends Refusal("DISPATCH_PERSISTENCE_UNCERTAIN") {}
/** Then a claim that is found may be the refused request's own. */
export const mayHaveClaimed = ({ _tag }: AnyRefusal): boolean =>
  _tag === "DATABASE_UNAVAILABLE" || _tag === "DISPATCH_PERSISTENCE_UNCERTAIN"
