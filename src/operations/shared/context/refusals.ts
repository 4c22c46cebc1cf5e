import { Refusal } from "../../../values/Refusal.ts"

export class NoPaymentRoute extends Refusal("NO_PAYMENT_ROUTE") {}
export class UnsupportedTerminal extends Refusal("UNSUPPORTED_TERMINAL") {}
export class UnsupportedRouterGateway extends Refusal("UNSUPPORTED_ROUTER_GATEWAY") {}
export class Unsupported721Hook extends Refusal("UNSUPPORTED_721_HOOK") {}
export class Invalid721Identity extends Refusal("INVALID_721_IDENTITY") {}
