import { Refusal } from "../values/Refusal.ts"

export class InvalidIntent extends Refusal("INVALID_INPUT") {}
export class IntentTooLarge extends Refusal("CONFIGURATION_TOO_LARGE") {}
export class IntentNotFound extends Refusal("INTENT_NOT_FOUND") {}
export class IntentDamaged extends Refusal("UPSTREAM_INVALID_RESPONSE") {}
export class UnsupportedIntentVersion extends Refusal("UNSUPPORTED_VERSION") {}
export class DeploymentUnconfirmed extends Refusal("DEPLOYMENT_UNCONFIRMED") {}
export class DeploymentUnproved extends Refusal("DEPLOYMENT_UNPROVED") {}
export class TraceUnavailable extends Refusal("TRACE_UNAVAILABLE") {}
