import { Refusal } from "../../values/Refusal.ts"

export class OperationNotFound extends Refusal("OPERATION_NOT_FOUND") {}
export class SourceRequired extends Refusal("SOURCE_REQUIRED") {}
export class SourceNotSupported extends Refusal("SOURCE_NOT_SUPPORTED") {}
export class InsufficientBalance extends Refusal("INSUFFICIENT_BALANCE") {}
