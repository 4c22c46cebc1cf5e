import { Refusal } from "../values/Refusal.ts"

export class AccountNotFound extends Refusal("ACCOUNT_NOT_FOUND") {}
export class GrantNotFound extends Refusal("GRANT_NOT_FOUND") {}
export class Forbidden extends Refusal("FORBIDDEN") {}
export class NonceReused extends Refusal("NONCE_REUSED") {}
export class AuthExpired extends Refusal("AUTH_EXPIRED") {}
export class RateLimited extends Refusal("RATE_LIMITED") {}
export class StorageLimit extends Refusal("STORAGE_LIMIT") {}
export class InvalidBotProof extends Refusal("INVALID_BOT_PROOF") {}
export class ServiceBusy extends Refusal("SERVICE_BUSY") {}
