import { type Check, checked } from "../Checks.ts"
import type { Command } from "../Command.ts"
import { baseUrlOf, serviceFlags } from "../Connection.ts"
import type { Input } from "../Input.ts"
import { nodeChecks } from "../NodeChecks.ts"
import { rpcAt } from "../Rpc.ts"
import { serviceChecks } from "../ServiceChecks.ts"

const ofNode = async (url: string): Promise<ReadonlyArray<Check>> =>
  (await nodeChecks(rpcAt(url))).map(check => ({ ...check, name: `node ${check.name}` }))

/** A node can be tried before there is a service to use it. */
const ofService = (input: Input): Promise<ReadonlyArray<Check>> =>
  input.has("rpc") && !input.has("url") ? Promise.resolve([]) : serviceChecks(baseUrlOf(input))

export const doctor: Command = {
  name: "doctor",
  summary: "Check the service, and with --rpc whether a node serves what the service needs.",
  details:
    "With --rpc alone only the node is checked. Exit code 6 when a check failed; degraded is no failure.",
  flags: [
    ...serviceFlags,
    { name: "rpc", value: "<URL>", help: "A JSON-RPC node to check; may be repeated.", repeatable: true }
  ],
  run: async input => {
    const nodes = await Promise.all(input.all("rpc").map(ofNode))
    return checked([...(await ofService(input)), ...nodes.flat()])
  }
}
