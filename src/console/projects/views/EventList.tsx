/** What happened, newest first. */
import type { Capabilities } from "../../../http/api/Capabilities.ts"
import { Pieces } from "../../app/Pieces.tsx"
import { chainName, type Listed, leftOut } from "../reading/Listed.ts"
import { type EventRow, eventPieces, soleAsset } from "../words/Events.ts"
import { foreignName } from "../words/Project.ts"
import { LostView } from "./PartView.tsx"
import { HashView, LocalTime } from "./WordView.tsx"

interface EventProps {
  readonly event: EventRow
  readonly capabilities: Capabilities
  /** Whether it is told of which project it is. */
  readonly placed: boolean
}

export const projectPath = (chainId: number | undefined, projectId: string | undefined): string =>
  `/console/projects/${chainId}/${projectId}`

const EventPlace = ({ event: { chainId, projectId, project }, capabilities }: EventProps) => (
  <>
    <a
      href={projectPath(chainId, projectId)}
    >{`project ${projectId} on ${chainName(capabilities, chainId)}`}</a>{" "}
    <Pieces pieces={[foreignName(project?.name ?? null, "without a name")]} />
  </>
)

const EventItem = (props: EventProps) => {
  const { timestamp, txHash } = props.event
  return (
    <li>
      <p class="happened">
        <Pieces pieces={eventPieces(props.event, soleAsset(props.event.project ?? {}))} />
      </p>
      <p class="muted facts">
        {props.placed && (
          <span>
            <EventPlace {...props} />
          </span>
        )}
        {timestamp === undefined ? "at a time that is not known" : <LocalTime seconds={timestamp} />}
        {txHash !== undefined && <HashView name="transaction" hash={txHash} />}
      </p>
    </li>
  )
}

interface EventListProps {
  readonly events: Listed<"activityEvent">
  readonly capabilities: Capabilities
  readonly placed: boolean
}

export const EventList = ({ events, capabilities, placed }: EventListProps) => {
  const lost = leftOut(events).length
  return (
    <>
      {events.items.length === 0 ? (
        <p>The index has nothing of this yet.</p>
      ) : (
        <ol class="events">
          {events.items.map(event => (
            <EventItem key={event.id} event={event} capabilities={capabilities} placed={placed} />
          ))}
        </ol>
      )}
      <LostView lost={lost} />
    </>
  )
}
