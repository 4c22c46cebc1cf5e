import { Refusal } from "../../values/Refusal.ts"

export class ChainOutsideNetwork extends Refusal("INVALID_INPUT") {}
export class InvalidProjectIdentifier extends Refusal("INVALID_PROJECT_IDENTIFIER") {}
export class AmbiguousProject extends Refusal("AMBIGUOUS_PROJECT") {}
export class UnsupportedProjectUrl extends Refusal("UNSUPPORTED_PROJECT_URL") {}
export class UnsupportedVersion extends Refusal("UNSUPPORTED_VERSION") {}
export class InvalidProjectCursor extends Refusal("INDEXER_INVALID_CURSOR") {}
export class InvalidIntentCursor extends Refusal("INVALID_INPUT") {}
