import { readFileSync } from "node:fs"
import { type Abi, type AbiEvent, toEventSelector } from "viem"
import { assert, describe, it } from "vitest"
import { eventAbis } from "../../../sandbox/index/follower/ProtocolEvents.ts"

const eventsOf = (abi: Abi): ReadonlyArray<AbiEvent> => abi.filter(item => item.type === "event")

const shapeOf = (event: AbiEvent) => ({
  selector: toEventSelector(event),
  inputs: event.inputs.map(({ name, type, indexed }) => `${type}${indexed ? " indexed" : ""} ${name}`)
})

/** Suckers of every transport have the events of the one that the sandbox deploys. */
const artifactOf = (contract: string) => (contract === "JBSucker" ? "JBOptimismSucker" : contract)

describe("events that become rows", () => {
  it("are those that the sandbox contracts emit, with their names and indexes", () => {
    for (const [contract, abi] of Object.entries(eventAbis)) {
      const artifact: { readonly abi: Abi } = JSON.parse(
        readFileSync(`sandbox/artifacts/${artifactOf(contract)}.json`, "utf8")
      )
      const emitted = new Map(eventsOf(artifact.abi).map(event => [event.name, shapeOf(event)]))
      for (const event of eventsOf(abi))
        assert.deepStrictEqual(shapeOf(event), emitted.get(event.name), `${contract}.${event.name}`)
    }
  })
})
