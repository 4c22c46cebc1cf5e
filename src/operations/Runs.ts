/** What the registered operations do; each has its line in Register.ts too. */
import { runDecodeCalldata } from "./development/DecodeCalldata.ts"
import { runGetContract } from "./development/GetContract.ts"
import { runListCapabilities } from "./development/ListCapabilities.ts"
import { runModelEconomics } from "./economics/ModelEconomics.ts"
import type { Operation } from "./framework/Operation.ts"
import { runGetPermissions } from "./positions/GetPermissions.ts"
import { runGetPosition } from "./positions/GetPosition.ts"
import type { RegisteredId } from "./Register.ts"
import { runGetRulesets } from "./rulesets/GetRulesets.ts"

export const runs = {
  get_contract: runGetContract,
  decode_calldata: runDecodeCalldata,
  list_capabilities: runListCapabilities,
  get_rulesets: runGetRulesets,
  get_position: runGetPosition,
  get_permissions: runGetPermissions,
  model_economics: runModelEconomics
} as const satisfies { readonly [Id in RegisteredId]: Operation<unknown> }
