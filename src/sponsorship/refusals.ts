import { Refusal } from "../values/Refusal.ts"

export class SponsorshipUnavailable extends Refusal("SPONSORSHIP_UNAVAILABLE") {}
export class SponsorshipNotFound extends Refusal("SPONSORSHIP_NOT_FOUND") {}
export class SponsorshipChainUnavailable extends Refusal("SPONSORSHIP_CHAIN_UNAVAILABLE") {}
export class ForwarderUnavailable extends Refusal("FORWARDER_UNAVAILABLE") {}
export class ForwarderUnverified extends Refusal("FORWARDER_UNVERIFIED") {}
export class ForwarderTargetUntrusted extends Refusal("FORWARDER_TARGET_UNTRUSTED") {}
export class ForwarderAccountUnsupported extends Refusal("FORWARDER_ACCOUNT_UNSUPPORTED") {}
export class ForwardGasBound extends Refusal("FORWARD_GAS_BOUND") {}
