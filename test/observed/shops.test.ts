import { shops } from "./differences/shops.ts"
import { describeFamily } from "./Family.ts"

describeFamily("shops", shops)
