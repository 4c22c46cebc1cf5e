import { Refusal } from "../values/Refusal.ts"

export class SessionsUnavailable extends Refusal("SESSIONS_UNAVAILABLE") {}
export class SessionGrantUnsuitable extends Refusal("SESSION_GRANT_UNSUITABLE") {}
export class SessionTargetUnreviewed extends Refusal("SESSION_TARGET_UNREVIEWED") {}
export class SessionAssetUnreviewed extends Refusal("SESSION_ASSET_UNREVIEWED") {}
export class SessionAllocationInvalid extends Refusal("SESSION_ALLOCATION_INVALID") {}
export class SessionConflict extends Refusal("SESSION_CONFLICT") {}
export class SessionChanged extends Refusal("SESSION_CHANGED") {}
export class SessionRetirementRequired extends Refusal("SESSION_RETIREMENT_REQUIRED") {}
export class SessionPlanNotReplaceable extends Refusal("SESSION_PLAN_NOT_REPLACEABLE") {}
/** The schema cannot judge it: it is compared with the chain's time, the wallet or what is compiled of it. */
export class InvalidSession extends Refusal("INVALID_INPUT") {}
