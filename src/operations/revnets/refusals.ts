import { Refusal } from "../../values/Refusal.ts"

export class ExplicitNftPricingRequired extends Refusal("EXPLICIT_NFT_PRICING_REQUIRED") {}
export class NothingToAutoIssue extends Refusal("NOTHING_TO_AUTO_ISSUE") {}
export class StageNotStarted extends Refusal("STAGE_NOT_STARTED") {}
export class SuckerDeployerNotAllowed extends Refusal("SUCKER_DEPLOYER_NOT_ALLOWED") {}
export class SuckerTokenNotAccepted extends Refusal("SUCKER_TOKEN_NOT_ACCEPTED") {}
export class NotARevnet extends Refusal("NOT_A_REVNET") {}
export class InventoryNotEnumerated extends Refusal("INVENTORY_NOT_ENUMERATED") {}
export class InvalidRevnetIdentity extends Refusal("INVALID_REVNET_IDENTITY") {}
export class UnsupportedRevnetDependency extends Refusal("UNSUPPORTED_REVNET_DEPENDENCY") {}
export class UnsupportedRevnetConfiguration extends Refusal("UNSUPPORTED_REVNET_CONFIGURATION") {}
