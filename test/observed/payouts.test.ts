import { payouts } from "./differences/payouts.ts"
import { describeFamily } from "./Family.ts"

describeFamily("payouts, allowances and cash-outs", payouts)
