import { Refusal } from "../../values/Refusal.ts"

export class UntrustedSucker extends Refusal("UNTRUSTED_SUCKER") {}
export class SuckerProjectMismatch extends Refusal("SUCKER_PROJECT_MISMATCH") {}
export class ClaimBeneficiaryMismatch extends Refusal("CLAIM_BENEFICIARY_MISMATCH") {}
export class ClaimAlreadyExecuted extends Refusal("CLAIM_ALREADY_EXECUTED") {}
export class UnknownSuckerTransport extends Refusal("UNKNOWN_SUCKER_TRANSPORT") {}
export class NoVerifiedTransportValue extends Refusal("NO_VERIFIED_TRANSPORT_VALUE") {}
