import { Refusal } from "../../values/Refusal.ts"

export class InvalidMemo extends Refusal("INVALID_MEMO") {}
export class InvalidPreview extends Refusal("INVALID_PREVIEW") {}
export class TerminalNotRegistered extends Refusal("TERMINAL_NOT_REGISTERED") {}
export class TokenNotAccepted extends Refusal("TOKEN_NOT_ACCEPTED") {}
export class NothingToReclaim extends Refusal("NOTHING_TO_RECLAIM") {}
export class NothingToPayOut extends Refusal("NOTHING_TO_PAY_OUT") {}
export class PayoutLimitExceeded extends Refusal("PAYOUT_LIMIT_EXCEEDED") {}
export class CashOutRouteRequiresRequote extends Refusal("CASH_OUT_ROUTE_REQUIRES_REQUOTE") {}
export class BurnPermissionDenied extends Refusal("PERMISSION_DENIED") {}
