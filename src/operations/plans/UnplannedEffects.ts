import { claimEach } from "../omnichain/prepare_bridge_claim/Effects.ts"
import { setPoolByKey } from "../routing/prepare_buyback_pool/Effects.ts"
import { addToBalance } from "./effects/AddToBalance.ts"
import { prepayment } from "./effects/Prepayment.ts"
import { useAllowance } from "./effects/UseAllowance.ts"

/** Of calls that no operation plans, but plans of catalogued calls may hold. */
export const unplannedEffects = [addToBalance, useAllowance, setPoolByKey, claimEach, prepayment]
