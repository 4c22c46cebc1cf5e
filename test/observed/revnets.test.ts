import { revnets } from "./differences/revnets.ts"
import { describeFamily } from "./Family.ts"

describeFamily("revnets", revnets)
