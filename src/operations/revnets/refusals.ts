import { Refusal } from "../../values/Refusal.ts"

export class NotARevnet extends Refusal("NOT_A_REVNET") {}
export class InventoryNotEnumerated extends Refusal("INVENTORY_NOT_ENUMERATED") {}
export class InvalidRevnetIdentity extends Refusal("INVALID_REVNET_IDENTITY") {}
export class UnsupportedRevnetDependency extends Refusal("UNSUPPORTED_REVNET_DEPENDENCY") {}
export class UnsupportedRevnetConfiguration extends Refusal("UNSUPPORTED_REVNET_CONFIGURATION") {}
