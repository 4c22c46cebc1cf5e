import { Refusal } from "../../values/Refusal.ts"

export class FunctionNotFound extends Refusal("FUNCTION_NOT_FOUND") {}
export class CalldataInvalid extends Refusal("CALLDATA_INVALID") {}
