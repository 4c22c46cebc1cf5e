import { Refusal } from "../../values/Refusal.ts"

export class ReadLimitExceeded extends Refusal("READ_LIMIT_EXCEEDED") {}
export class AmountPreviewRequired extends Refusal("AMOUNT_PREVIEW_REQUIRED") {}
export class RegistryNotConfigured extends Refusal("REGISTRY_NOT_CONFIGURED") {}
export class OracleUnset extends Refusal("ORACLE_UNSET") {}
export class UnsupportedBuybackImplementation extends Refusal("UNSUPPORTED_BUYBACK_IMPLEMENTATION") {}
export class UnsupportedGateway extends Refusal("UNSUPPORTED_ROUTER_GATEWAY") {}
export class UnsupportedRouter extends Refusal("UNSUPPORTED_TERMINAL") {}
