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
        args: ["2", "0x000000000000000000000000000000000000EEEe", "1", "1", "0"],
        label: "for the test"
      }
    ],
    told: refused
  })
)
