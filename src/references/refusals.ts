import { Refusal } from "../values/Refusal.ts"

export class ReferenceNotFound extends Refusal("REFERENCE_NOT_FOUND") {}
export class ReferenceIntegrity extends Refusal("CATALOG_INTEGRITY") {}
export class FeatureNotOffered extends Refusal("INVALID_INPUT") {}
