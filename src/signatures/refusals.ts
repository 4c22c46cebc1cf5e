import { Refusal } from "../values/Refusal.ts"
import type { Address } from "../values/Scalars.ts"

/** Carries whom the signature does recover to, for the diagnosis; that is no part of the public context. */
export class InvalidSignature extends Refusal("INVALID_SIGNATURE") {
  readonly recovered: Address | undefined
  constructor(recovered: Address | undefined) {
    super()
    this.recovered = recovered
  }
}

export class VerifierUnavailable extends Refusal("VERIFIER_UNAVAILABLE") {}
