import { routing } from "./differences/routing.ts"
import { describeFamily } from "./Family.ts"

describeFamily("pools, hooks and routers", routing)
