import { Refusal } from "../../../values/Refusal.ts"

export class CustomHookModelUnsupported extends Refusal("CUSTOM_HOOK_MODEL_UNSUPPORTED") {}
export class ScenarioOverflow extends Refusal("SCENARIO_OVERFLOW") {}
