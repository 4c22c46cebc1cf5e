/** The account's sessions: which bots' keys act for which wallets, and until when. */
import { useState } from "preact/hooks"
import { chainTitle } from "../../review/ChainName.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { Time } from "../app/Times.tsx"
import { sessionStanding, sessionTone } from "./SessionWords.ts"

interface Read {
  readonly sessions: ReadonlyArray<PublicSession>
  readonly cursor: string | null
}

const LIMIT = 25

const useSessions = ({ desk, run }: Seat) => {
  const [found, setFound] = useState<Read>()
  const page = async (before: ReadonlyArray<PublicSession>, cursor?: string) => {
    const query = { limit: LIMIT, ...(cursor !== undefined && { cursor }) }
    const { items, nextCursor } = await desk.owner.sessions.list(query)
    setFound({ sessions: [...before, ...items], cursor: nextCursor })
  }
  const read = () => run("Waiting for the wallet…", () => page([]))
  const more = ({ sessions }: Read, cursor: string) => run("Reading more…", () => page(sessions, cursor))
  return { found, read, more }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const Session = ({ session, seat }: { readonly session: PublicSession; readonly seat: Seat }) => {
  const { id, wallet, chainId, state, sessionKey, validUntil, actions, maximumCalls } = session
  const now = seat.desk.owner.clock.seconds() * 1000
  return (
    <li class="item">
      <p>
        <a href={`/console/sessions/${id}`}>
          The key <code>{sessionKey}</code>
        </a>{" "}
        <span class={`state ${sessionTone(state)}`}>{sessionStanding(state)}</span>
      </p>
      <p>
        for the wallet <code>{wallet}</code> on {chainTitle(seat.capabilities, chainId)}:{" "}
        {counted(actions.length, "right")}, {counted(maximumCalls, "call")} at most,{" "}
        {validUntil * 1000 > now ? "ends " : "ended "}
        <Time millis={validUntil * 1000} now={now} />.
      </p>
    </li>
  )
}

const WHAT =
  "A session lets a bot's key act for a wallet of several owners, for 7 or 30 days and within limits that the wallet's own guard holds it to on the chain. The wallet's owners enable it once and can end it at any time. The list is the owner's: the wallet signs for it."

export const SessionsPage = ({ seat }: PageProps) => {
  const { found, read, more } = useSessions(seat)
  if (!("chains" in seat.capabilities.sessions)) return <p>This service has no sessions.</p>
  return (
    <>
      <p>{WHAT}</p>
      <div class="actions">
        <button type="button" class={found === undefined ? "primary" : "plain"} onClick={read}>
          {found === undefined ? "List the sessions" : "List them again"}
        </button>
        <a href="/console/sessions/new">Prepare a session</a>
      </div>
      {found?.sessions.length === 0 ? <p>No session was prepared for the account.</p> : undefined}
      <ul class="items">
        {found?.sessions.map(session => (
          <Session key={session.id} session={session} seat={seat} />
        ))}
      </ul>
      {found === undefined || found.cursor === null ? undefined : (
        <button type="button" class="plain" onClick={() => more(found, found.cursor ?? "")}>
          More
        </button>
      )}
    </>
  )
}
