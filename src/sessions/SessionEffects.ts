/** How it is judged that owners changed what a session may do. */
import { moduleInstalled } from "./effects/ModuleInstalled.ts"
import { sessionEnabled } from "./effects/SessionEnabled.ts"
import { sessionRevoked } from "./effects/SessionRevoked.ts"

export const sessionEffects = [sessionEnabled, sessionRevoked, moduleInstalled]
