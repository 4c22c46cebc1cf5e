/** Lets an owner's contract be asked about a signature: it costs a chain's calls before anybody is known. */
import { Effect } from "effect"
import { workingFor } from "../chain/Work.ts"
import { Settings } from "../settings/Settings.ts"
import { makeAcceptedLately } from "./AcceptedLately.ts"
import type { Border } from "./Border.ts"
import { makeContractPlaces } from "./ContractPlaces.ts"
import type { SignedHeaders } from "./RequestHeaders.ts"

export const makeAskContract = <Exchange>(border: Border<Exchange>) =>
  Effect.gen(function* () {
    const { chains } = yield* Settings
    const configured = new Set(chains.map(({ chainId }) => chainId))
    const acceptedLately = yield* makeAcceptedLately
    const askingWithin = makeContractPlaces()

    /** The address pays when the asking begins; who asks no chain needs no place. */
    const letAsk =
      (exchange: Exchange, { authorityChainId, accountId }: SignedHeaders, address: string) =>
      <A, E>(ask: Effect.Effect<A, E>) =>
        configured.has(authorityChainId)
          ? Effect.zipRight(
              border.charge(exchange, address),
              askingWithin(
                { chainId: authorityChainId, accountId, address },
                workingFor({ kind: "verification", address, wasAccepted: acceptedLately.has(address) })(ask)
              )
            )
          : ask

    const accepted = (exchange: Exchange, address: string): Effect.Effect<void> => {
      acceptedLately.add(address)
      return border.giveBack(exchange, address)
    }

    return { letAsk, accepted }
  })
