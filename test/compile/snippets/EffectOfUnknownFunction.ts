import { planEffects, unmodeled } from "../../../src/effects/PlanEffects.ts"

export const effects = planEffects({
  "JBMultiTerminal.mintFor(address)": unmodeled("for the test")
})
