/** One project: what its chain says of it now, and what the index keeps of its past. */
import type { PageProps, Seat } from "../app/Seat.ts"
import type { IndexedPlace } from "./reading/History.ts"
import { networkWith } from "./reading/Listed.ts"
import type { ProjectParts } from "./reading/ReadProject.ts"
import { useProject } from "./reading/UseProject.ts"
import { EventList } from "./views/EventList.tsx"
import { HistoryView } from "./views/HistoryView.tsx"
import { MoreView, PartView } from "./views/PartView.tsx"
import { ProjectHead } from "./views/ProjectHead.tsx"
import { ProjectNow } from "./views/ProjectNow.tsx"
import { ReadFirst } from "./views/ReadFirst.tsx"
import type { Acquaintance } from "./words/Splits.ts"

const placeIn = (path: string, { capabilities }: Seat): IndexedPlace => {
  const [chain = "", projectId = ""] = path.split("/").slice(-2)
  const chainId = Number(chain)
  return { network: networkWith(capabilities, chainId), chainId, projectId }
}

/** Of the first token that it accounts in. */
const symbolsIn = ({ indexed }: ProjectParts): ReadonlyMap<string, string> => {
  const { token, tokenSymbol } = (indexed?.status === "known" ? indexed.value : undefined) ?? {}
  return new Map(token && tokenSymbol ? [[token.toLowerCase(), tokenSymbol]] : [])
}

const acquaintance = ({ desk }: Seat, parts: ProjectParts): Acquaintance => {
  const { view, names } = parts
  const owner = view?.status === "known" ? view.value.owner : undefined
  return {
    wallet: desk.wallet,
    owner: owner?.status === "known" ? owner.value : undefined,
    projects: names ?? new Map(),
    symbols: symbolsIn(parts),
    nowMillis: desk.owner.clock.seconds() * 1000
  }
}

interface HappenedProps {
  readonly events: ProjectParts["events"]
  readonly capabilities: Seat["capabilities"]
  /** Undefined while something else is read. */
  readonly more: (() => void) | undefined
}

const Happened = ({ events, capabilities, more }: HappenedProps) => (
  <section>
    <h2>What happened</h2>
    <PartView part={events}>
      {value => (
        <>
          <EventList events={value} capabilities={capabilities} placed={false} />
          <MoreView
            cursor={more === undefined ? null : value.cursor}
            what="of what happened"
            more={() => more?.()}
          />
        </>
      )}
    </PartView>
  </section>
)

export const ProjectPage = ({ seat, path }: PageProps) => {
  const place = placeIn(path, seat)
  const { capabilities, desk } = seat
  const { parts, isWhole, read, earlier, moreEvents } = useProject(seat, place)
  const { view, indexed, history, events } = parts
  const known = acquaintance(seat, parts)
  return (
    <div class="project">
      <ProjectHead place={place} capabilities={capabilities} indexed={indexed} />
      {view !== undefined && (
        <>
          <PartView part={view}>
            {value => <ProjectNow view={value} known={known} holding={parts.holding} />}
          </PartView>
          <section>
            <h2>Over time</h2>
            <PartView part={history}>
              {value => (
                <HistoryView
                  history={value}
                  view={view}
                  symbols={known.symbols}
                  earlier={isWhole ? earlier : undefined}
                />
              )}
            </PartView>
          </section>
          <Happened events={events} capabilities={capabilities} more={isWhole ? moreEvents : undefined} />
        </>
      )}
      {(view === undefined || isWhole) && (
        <ReadFirst desk={desk} what="the project" read={read} begun={view !== undefined} />
      )}
    </div>
  )
}
