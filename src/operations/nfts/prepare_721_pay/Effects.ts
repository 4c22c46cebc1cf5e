import { planEffects } from "../../../effects/PlanEffects.ts"
import { approvalEffects } from "../../shared/effects/Approve.ts"
import { payEffect } from "../../shared/effects/Pay.ts"

export const prepare721PayEffects = planEffects({
  ...approvalEffects,
  "JBMultiTerminal.pay(uint256,address,uint256,address,uint256,string,bytes)": payEffect
})
