import { Refusal } from "../values/Refusal.ts"

export class AuthRequired extends Refusal("AUTH_REQUIRED") {}
export class InvalidAuth extends Refusal("INVALID_AUTH") {}
export class IdempotencyRequired extends Refusal("IDEMPOTENCY_REQUIRED") {}
export class IdempotencyConflict extends Refusal("IDEMPOTENCY_CONFLICT") {}
