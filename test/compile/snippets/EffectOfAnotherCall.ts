import { planEffects } from "../../../src/effects/PlanEffects.ts"
import { approveEffect } from "../../../src/operations/shared/effects/Approve.ts"

export const effects = planEffects({
  "JBMultiTerminal.sendPayoutsOf(uint256,address,uint256,uint256,uint256)": approveEffect
})
