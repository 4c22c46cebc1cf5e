import { planEffects } from "../../../src/effects/PlanEffects.ts"
import { approve } from "../../../src/operations/shared/effects/Approve.ts"

export const effects = planEffects({
  "JBMultiTerminal.sendPayoutsOf(uint256,address,uint256,uint256,uint256)": approve
})
