import { Refusal } from "../values/Refusal.ts"

export class ProjectNotFound extends Refusal("PROJECT_NOT_FOUND") {}
export class ProjectWithoutController extends Refusal("PROJECT_WITHOUT_CONTROLLER") {}
export class UnsupportedController extends Refusal("UNSUPPORTED_CONTROLLER") {}
export class UnsupportedConfiguration extends Refusal("UNSUPPORTED_CONFIGURATION") {}
export class UnsupportedTerminalAccounting extends Refusal("UNSUPPORTED_TERMINAL_ACCOUNTING") {}
export class NoActiveRuleset extends Refusal("NO_ACTIVE_RULESET") {}
export class ReadLimitExceeded extends Refusal("READ_LIMIT_EXCEEDED") {}
export class UnsupportedPeerChain extends Refusal("UNSUPPORTED_CHAIN") {}
export class UnsupportedRemotePeer extends Refusal("UNSUPPORTED_REMOTE_PEER") {}
export class BridgeIdentityMismatch extends Refusal("BRIDGE_IDENTITY_MISMATCH") {}
export class TransportNotIdentified extends Refusal("TRANSPORT_NOT_IDENTIFIED") {}
export class BridgePairNotVerified extends Refusal("BRIDGE_PAIR_NOT_VERIFIED") {}
export class LogRangeRequired extends Refusal("LOG_RANGE_REQUIRED") {}
export class UpstreamInvalidResponse extends Refusal("UPSTREAM_INVALID_RESPONSE") {}
export class BridgeRangeInvalid extends Refusal("INVALID_INPUT") {}
