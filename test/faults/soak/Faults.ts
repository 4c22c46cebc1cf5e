/** What breaks at random while everybody goes on: the node, the bundler, the provider and connections to the database. */
import { setTimeout as sleep } from "node:timers/promises"
import type { ProxyFault } from "../../support/RecordingProxy.ts"
import type { Chance } from "../crash/Chance.ts"
import type { World } from "../crash/World.ts"

const BETWEEN_MILLIS = 8_000
const SLOW_MILLIS = 1_500

const NODE_METHODS = ["eth_call", "eth_getBlockByNumber", "eth_sendRawTransaction", "eth_getLogs"] as const
const BUNDLER_METHODS = [
  "eth_sendUserOperation",
  "eth_estimateUserOperationGas",
  "eth_getUserOperationByHash"
] as const

const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND random() < 0.3`

const phaseOf = (chance: Chance) => chance.pick<"before" | "after">(["before", "after"])

const wireFault = (chance: Chance) =>
  chance.pick<ProxyFault["act"]>([
    { kind: "reset" },
    { kind: "status", status: 503 },
    { kind: "truncated" },
    { kind: "html" },
    { kind: "delay", millis: chance.below(SLOW_MILLIS) }
  ])

const FAULTS = ["node", "node", "bundler", "provider", "database"] as const

type Fault = (typeof FAULTS)[number]

const cause = async (fault: Fault, { world, chance }: { readonly world: World; readonly chance: Chance }) => {
  const phase = phaseOf(chance)
  switch (fault) {
    case "node":
      return world.fault({ method: chance.pick(NODE_METHODS), phase, act: wireFault(chance) })
    case "bundler":
      return world.operating?.fault({ method: chance.pick(BUNDLER_METHODS), phase, act: wireFault(chance) })
    case "provider":
      return world.provider.fault({ phase, act: { kind: "reset" } })
    case "database":
      return world.sql(CUT)
  }
}

/** By what broke. */
export const breakThings = async (
  world: World,
  chance: Chance,
  isOn: () => boolean
): Promise<Readonly<Record<string, number>>> => {
  const caused: Record<string, number> = {}
  for (;;) {
    await sleep(chance.below(BETWEEN_MILLIS))
    if (!isOn()) return caused
    const fault = chance.pick(FAULTS)
    await cause(fault, { world, chance })
    caused[fault] = (caused[fault] ?? 0) + 1
  }
}
