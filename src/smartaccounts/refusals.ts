import { Refusal } from "../values/Refusal.ts"

export class SmartAccountsUnavailable extends Refusal("SMART_ACCOUNTS_UNAVAILABLE") {}
export class ManifestNotFound extends Refusal("MANIFEST_NOT_FOUND") {}
export class SmartAccountUnsupported extends Refusal("SMART_ACCOUNT_UNSUPPORTED") {}
export class SmartAccountUndeployed extends Refusal("SMART_ACCOUNT_UNDEPLOYED") {}
export class SmartAccountAlreadyDeployed extends Refusal("SMART_ACCOUNT_ALREADY_DEPLOYED") {}
export class SmartOwnerNotMember extends Refusal("SMART_OWNER_NOT_MEMBER") {}
/** The schema cannot judge it: it is compared with the database's clock. */
export class ChallengeExpiryInvalid extends Refusal("INVALID_INPUT") {}
