import { Effect } from "effect"
import { planEffects, unmodeled } from "../../../src/effects/PlanEffects.ts"
import { definePlan } from "../../../src/operations/framework/DefinePlan.ts"
import { preparePayout } from "../../../src/operations/payments/prepare_payout/Declaration.ts"

const effects = planEffects({
  "JBMultiTerminal.sendPayoutsOf(uint256,address,uint256,uint256,uint256)": unmodeled("for the test")
})

const refused = Effect.dieMessage("never run")

export const run = definePlan(preparePayout, effects, () =>
  Effect.succeed({
    calls: [
      {
        contract: "JBMultiTerminal",
        function: "mintFor(address)",
        args: ["2", "0x000000000000000000000000000000000000EEEe", "1", "1", "0"],
        label: "for the test"
      }
    ],
    told: refused
  })
)
