import { Effect } from "effect"
import { participationsOf } from "../../../projects/IndexedProjects.ts"
import { observed } from "../../../values/Observed.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { chosenNetwork } from "../Network.ts"
import { getAccount } from "./Declaration.ts"

const SEMANTICS = {
  authority: "What the index counted for the address; no authoritative wallet balance.",
  scope: "One row for each project and chain; rows of several chains are not summed.",
  volume: "Sums amounts of different accounting tokens, each in its own units.",
  volumeUsd: "In US dollars at the times of the payments, with 18 decimals."
}

export const runGetAccount = defineOperation(
  getAccount,
  Effect.fn("GetAccount")(function* ({ address, chainId, network, limit, cursor }) {
    const chosen = yield* chosenNetwork(network, chainId)
    const indexed = yield* observed(participationsOf(address, { network: chosen, chainId, limit, cursor }))
    return { indexed, semantics: SEMANTICS }
  })
)
