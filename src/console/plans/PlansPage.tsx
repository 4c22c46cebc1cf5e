/** The plans, newest first: this tab's own without a question, all of the account with the owner's signature. */
import { useEffect, useState } from "preact/hooks"
import type { Client } from "../../client/Client.ts"
import type { Plan } from "../../plans/Plan.ts"
import { pagePath } from "../../review/PagePath.ts"
import type { Piece } from "../../review/Words.ts"
import { Pieces } from "../app/Pieces.tsx"
import type { PageProps, Seat } from "../app/Seat.ts"
import { Time } from "../app/Times.tsx"
import { planLine, stateWords, waitsFor } from "./PlanLine.ts"

const PAGE = 20

interface Line {
  readonly plan: Plan
  readonly sentence: ReadonlyArray<Piece>
  readonly waits: string
  readonly path: string
}

interface Listed {
  readonly lines: ReadonlyArray<Line>
  readonly cursor: string | null
  /** Whose they are. */
  readonly reader: Client
}

const linesOf = (seat: Seat, reader: Client, plans: ReadonlyArray<Plan>): Promise<ReadonlyArray<Line>> => {
  const { owner } = seat.desk
  const now = owner.clock.seconds() * 1000
  const principals = [reader.principalId, owner.principalId]
  const own = reader === owner ? undefined : reader.principalId
  return Promise.all(
    plans.map(async plan => ({
      plan,
      sentence: await planLine(reader, seat.capabilities, plan, principals, now),
      waits: waitsFor(plan, now),
      path: pagePath(plan.id, owner.account, own)
    }))
  )
}

const PlanItem = ({ line, now }: { readonly line: Line; readonly now: number }) => (
  <li class="item">
    <p class="sentence">
      <a href={line.path}>
        <Pieces pieces={line.sentence} />
      </a>
    </p>
    <p>
      <span class={`state ${line.plan.status}`}>{stateWords(line.plan)}</span> {line.waits}{" "}
      <span class="muted">
        Prepared <Time millis={line.plan.createdAt} now={now} />.
      </span>
    </p>
  </li>
)

const About = ({ listed, seat }: { readonly listed: Listed; readonly seat: Seat }) => {
  const isOwn = listed.reader !== seat.desk.owner
  return (
    <p>
      {isOwn
        ? "These are the plans that this tab prepared since you signed in; the service shows those of others to the owner alone."
        : "These are all plans of the account, the bots' too."}
    </p>
  )
}

export const PlansPage = ({ seat }: PageProps) => {
  const [listed, setListed] = useState<Listed>()
  const { desk } = seat
  const read = (reader: Client, before?: Listed) =>
    seat.run("Reading the plans…", async () => {
      const cursor = before?.cursor ?? undefined
      const page = await reader.plans.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) })
      const lines = await linesOf(seat, reader, page.items)
      setListed({ lines: [...(before?.lines ?? []), ...lines], cursor: page.nextCursor, reader })
    })
  useEffect(() => {
    if (desk.grant !== undefined) read(desk.client)
  }, [])
  const isAll = listed?.reader === desk.owner
  return (
    <>
      {listed === undefined ? undefined : <About listed={listed} seat={seat} />}
      <div class="actions">
        <button
          type="button"
          class={listed === undefined ? "primary" : "plain"}
          onClick={() => read(desk.owner)}
        >
          {isAll ? "Read them again" : "Read all plans of the account"}
        </button>
      </div>
      {listed?.lines.length === 0 ? <p>There are none yet.</p> : undefined}
      <ul class="items">
        {listed?.lines.map(line => (
          <PlanItem key={line.plan.id} line={line} now={desk.owner.clock.seconds() * 1000} />
        ))}
      </ul>
      {listed === undefined || listed.cursor === null ? undefined : (
        <button type="button" class="plain" onClick={() => read(listed.reader, listed)}>
          More
        </button>
      )}
    </>
  )
}
