import { Refusal } from "../values/Refusal.ts"

export class SmartAccountsUnavailable extends Refusal("SMART_ACCOUNTS_UNAVAILABLE") {}
export class ManifestNotFound extends Refusal("MANIFEST_NOT_FOUND") {}
export class SmartAccountUnsupported extends Refusal("SMART_ACCOUNT_UNSUPPORTED") {}
export class SmartAccountUndeployed extends Refusal("SMART_ACCOUNT_UNDEPLOYED") {}
export class SmartAccountAlreadyDeployed extends Refusal("SMART_ACCOUNT_ALREADY_DEPLOYED") {}
export class SmartOwnerNotMember extends Refusal("SMART_OWNER_NOT_MEMBER") {}
export class SmartAccountChanged extends Refusal("SMART_ACCOUNT_CHANGED") {}
export class InvalidOwnerSignatures extends Refusal("INVALID_OWNER_SIGNATURES") {}
export class OwnerSignaturesMismatch extends Refusal("OWNER_SIGNATURES_MISMATCH") {}
export class BindingNotFound extends Refusal("BINDING_NOT_FOUND") {}
export class BindingExpired extends Refusal("BINDING_EXPIRED") {}
export class BindingNonceReused extends Refusal("BINDING_NONCE_REUSED") {}
export class BindingRevoked extends Refusal("BINDING_REVOKED") {}
export class CallChainMismatch extends Refusal("CALL_CHAIN_MISMATCH") {}
export class AdministrationUnadmitted extends Refusal("SESSION_PLAN_NOT_ADMITTED") {}
/** The schema cannot judge it: it is compared with the database's clock. */
export class ChallengeExpiryInvalid extends Refusal("INVALID_INPUT") {}
