/** The whole service with its failpoints in the hand of the process that started it. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { program } from "../../../src/main/Program.ts"
import { serviceLayer } from "../../../src/main/ServiceLayer.ts"
import { AtFailpoint, type Failpoint } from "../../../src/values/Failpoint.ts"
import type { Command, Order, Report } from "./Orders.ts"

let order: Order | null = null
let goOn = () => {}

process.on("message", (command: Command) => {
  if ("resume" in command) goOn()
  else if ("order" in command) order = command.order
})

/** The first that gets here is held; whoever comes after it passes. */
const pause = (at: Failpoint) =>
  Effect.async<void>(resume => {
    order = null
    goOn = () => resume(Effect.void)
    const report: Report = { paused: at }
    process.send?.(report)
  })

const reached = (at: Failpoint): Effect.Effect<void> => {
  if (order?.at !== at) return Effect.void
  return order.act === "pause" ? pause(at) : Effect.sync(() => process.kill(process.pid, "SIGKILL"))
}

NodeRuntime.runMain(Effect.provideService(program(serviceLayer({})), AtFailpoint, reached))
