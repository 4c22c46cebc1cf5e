import { Refusal } from "../values/Refusal.ts"

export class ProjectNotFound extends Refusal("PROJECT_NOT_FOUND") {}
export class UnsupportedController extends Refusal("UNSUPPORTED_CONTROLLER") {}
export class UnsupportedConfiguration extends Refusal("UNSUPPORTED_CONFIGURATION") {}
export class UnsupportedTerminalAccounting extends Refusal("UNSUPPORTED_TERMINAL_ACCOUNTING") {}
export class NoActiveRuleset extends Refusal("NO_ACTIVE_RULESET") {}
export class ReadLimitExceeded extends Refusal("READ_LIMIT_EXCEEDED") {}
