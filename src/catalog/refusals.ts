import { Refusal } from "../values/Refusal.ts"

export class ContractNotFound extends Refusal("CONTRACT_NOT_FOUND") {}
export class AbiNotFound extends Refusal("ABI_NOT_FOUND") {}
export class MethodNotFound extends Refusal("METHOD_NOT_FOUND") {}
export class CatalogFilterInvalid extends Refusal("INVALID_PARAMETER") {}
export class CatalogIntegrity extends Refusal("CATALOG_INTEGRITY") {}

/** A file of the operator's that is to lie over the catalog, and cannot. */
export class OverlayUnusable extends CatalogIntegrity {
  constructor(file: string, fault: string) {
    super({ detail: `SERVICE_SANDBOX_MANIFEST names ${file}, ${fault}.`, context: { file } })
  }
}
