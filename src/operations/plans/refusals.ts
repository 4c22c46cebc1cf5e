import { Refusal } from "../../values/Refusal.ts"

export class InsufficientBalance extends Refusal("INSUFFICIENT_BALANCE") {}
