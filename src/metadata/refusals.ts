import { Refusal } from "../values/Refusal.ts"

export class InvalidMetadata extends Refusal("INVALID_INPUT") {}
export class MetadataTooLarge extends Refusal("METADATA_TOO_LARGE") {}
export class InvalidReviewToken extends Refusal("INVALID_INPUT") {}
