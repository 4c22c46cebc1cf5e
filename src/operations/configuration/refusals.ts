import { Refusal } from "../../values/Refusal.ts"

export class ConfigurationTooLarge extends Refusal("CONFIGURATION_TOO_LARGE") {}
export class PermissionDenied extends Refusal("PERMISSION_DENIED") {}
