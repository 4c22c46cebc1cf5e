/** What the wallet of the account at the page did, and what it holds, as the indexes of the networks tell. */
import { useState } from "preact/hooks"
import type { Network } from "../../indexer/IndexerSchemas.ts"
import type { Observed } from "../../values/Observed.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { turnsOf } from "../app/Turns.ts"
import { type Listed, listMore } from "./reading/Listed.ts"
import { partly } from "./reading/Partly.ts"
import { positionsQuery } from "./reading/Positions.ts"
import { readEvents } from "./reading/ReadProject.ts"
import { EventList } from "./views/EventList.tsx"
import { MoreView, PartView } from "./views/PartView.tsx"
import { PositionList } from "./views/PositionList.tsx"
import { ReadFirst } from "./views/ReadFirst.tsx"

interface OfNetwork {
  readonly events?: Observed<Listed<"activityEvent">>
  readonly positions?: Observed<Listed<"participant">>
}

type Parts = Readonly<Partial<Record<Network, OfNetwork>>>

const useActivity = (seat: Seat, networks: ReadonlyArray<Network>) => {
  const { desk, run } = seat
  const [parts, setParts] = useState<Parts>({})
  const found = (network: Network, more: OfNetwork) =>
    setParts(before => ({ ...before, [network]: { ...before[network], ...more } }))
  const positions = async (network: Network, before?: Listed<"participant">) => {
    const asked = listMore(desk, "participant", positionsQuery(desk.wallet, network), before)
    found(network, { positions: await partly(asked) })
  }
  const events = async (network: Network, before?: Listed<"activityEvent">) => {
    const where = { network, filters: { from: desk.wallet.toLowerCase() } }
    found(network, { events: await partly(readEvents(desk, where, before)) })
  }
  const read = () =>
    run("Reading your activity…", async () => {
      const turn = turnsOf(desk)
      await Promise.all(
        networks.flatMap(network => [turn(() => positions(network)), turn(() => events(network))])
      )
    })
  return { parts, read, positions, events }
}

const NETWORK_NAMES = { mainnet: "on the mainnets", testnet: "on the testnets" } as const

interface NetworkViewProps {
  readonly seat: Seat
  readonly network: Network
  readonly parts: OfNetwork
  readonly activity: Pick<ReturnType<typeof useActivity>, "positions" | "events">
}

const NetworkView = ({ seat, network, parts, activity }: NetworkViewProps) => {
  const { capabilities, run } = seat
  const where = NETWORK_NAMES[network]
  return (
    <>
      <section>
        <h2>{`What your wallet holds ${where}`}</h2>
        <PartView part={parts.positions}>
          {value => (
            <>
              <PositionList positions={value} capabilities={capabilities} />
              <MoreView
                cursor={value.cursor}
                what="positions"
                more={() => run("Reading more…", () => activity.positions(network, value))}
              />
            </>
          )}
        </PartView>
      </section>
      <section>
        <h2>{`What your wallet did ${where}`}</h2>
        <PartView part={parts.events}>
          {value => (
            <>
              <EventList events={value} capabilities={capabilities} placed />
              <MoreView
                cursor={value.cursor}
                what="of what happened"
                more={() => run("Reading more…", () => activity.events(network, value))}
              />
            </>
          )}
        </PartView>
      </section>
    </>
  )
}

export const ActivityPage = ({ seat }: PageProps) => {
  const { networks } = seat.capabilities.sources.indexer
  const { parts, read, ...activity } = useActivity(seat, networks)
  if (networks.length === 0)
    return (
      <div class="project">
        <p class="lacking">
          This service asks no index, and the chains alone do not list what a wallet did. What it holds of a
          project stands on the project's page.
        </p>
      </div>
    )
  const begun = networks.some(network => parts[network] !== undefined)
  return (
    <div class="project">
      <p>
        Wallet <code>{seat.desk.wallet}</code>, as the index counts it: no balance to rely on, and nothing of
        it is summed over chains.
      </p>
      {networks.map(network => {
        const found = parts[network]
        return (
          found && (
            <NetworkView key={network} seat={seat} network={network} parts={found} activity={activity} />
          )
        )
      })}
      <ReadFirst desk={seat.desk} what="your activity" read={read} begun={begun} />
    </div>
  )
}
