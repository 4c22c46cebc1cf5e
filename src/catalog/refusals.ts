import { Refusal } from "../values/Refusal.ts"

export class ContractNotFound extends Refusal("CONTRACT_NOT_FOUND") {}
export class AbiNotFound extends Refusal("ABI_NOT_FOUND") {}
export class MethodNotFound extends Refusal("METHOD_NOT_FOUND") {}
export class CatalogFilterInvalid extends Refusal("INVALID_PARAMETER") {}
export class CatalogIntegrity extends Refusal("CATALOG_INTEGRITY") {}
