import { Refusal } from "../values/Refusal.ts"

export class SponsorshipUnavailable extends Refusal("SPONSORSHIP_UNAVAILABLE") {}
export class SponsorshipNotFound extends Refusal("SPONSORSHIP_NOT_FOUND") {}
export class SponsorshipChainUnavailable extends Refusal("SPONSORSHIP_CHAIN_UNAVAILABLE") {}
export class ForwarderUnavailable extends Refusal("FORWARDER_UNAVAILABLE") {}
export class ForwarderUnverified extends Refusal("FORWARDER_UNVERIFIED") {}
export class ForwarderTargetUntrusted extends Refusal("FORWARDER_TARGET_UNTRUSTED") {}
export class ForwarderAccountUnsupported extends Refusal("FORWARDER_ACCOUNT_UNSUPPORTED") {}
export class ForwardGasBound extends Refusal("FORWARD_GAS_BOUND") {}
export class SponsorshipExpired extends Refusal("SPONSORSHIP_EXPIRED") {}
export class SponsorshipConflict extends Refusal("SPONSORSHIP_CONFLICT") {}
export class InvalidForwardSignature extends Refusal("INVALID_FORWARD_SIGNATURE") {}
export class ForwardSignatureMismatch extends Refusal("FORWARD_SIGNATURE_MISMATCH") {}
export class ForwardRequestChanged extends Refusal("FORWARD_REQUEST_CHANGED") {}
export class ForwardRequestExpired extends Refusal("FORWARD_REQUEST_EXPIRED") {}
export class ForwardNonceReserved extends Refusal("FORWARD_NONCE_RESERVED") {}
export class DispatchPersistenceUncertain extends Refusal("DISPATCH_PERSISTENCE_UNCERTAIN") {}
