import { Effect } from "effect"
import { definePlan } from "../../../src/operations/framework/DefinePlan.ts"
import { preparePayout } from "../../../src/operations/payments/prepare_payout/Declaration.ts"

const refused = Effect.dieMessage("never run")

export const run = definePlan(preparePayout, () =>
  Effect.succeed({
    calls: [
      {
        contract: "JBMultiTerminal",
        function: "sendPayoutsOf(uint256,address,uint256,uint256,uint256)",
        args: [],
        label: "for the test"
      }
    ],
    told: refused
  })
)
