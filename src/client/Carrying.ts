/** All that carries plans out, loaded as one part when it is needed: pages that only look carry nothing out. */
import { carryOut } from "./CarryOut.ts"
import { sponsorPlan } from "./SponsorPlan.ts"

export const carriers = { carryOut, sponsorPlan }
