/** One session: what its key may do by its bytes, what is left of that, and the ways to enable and to revoke it. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { chainTitle } from "../../review/ChainName.ts"
import { instantText } from "../../review/Times.ts"
import { exact, type ReviewRow, row, words } from "../../review/Words.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import { ChecksFound } from "../app/ChecksFound.tsx"
import { Rows } from "../app/Rows.tsx"
import type { PageProps } from "../app/Seat.ts"
import { Time } from "../app/Times.tsx"
import { Counters } from "./Counters.tsx"
import { Enable } from "./Enable.tsx"
import { namesFor, PolicySaid } from "./PolicySaid.tsx"
import { Revoke } from "./Revoke.tsx"
import { type Acting, type CheckedSession, SessionDesk } from "./SessionDesk.ts"
import { sessionMeaning, sessionStanding, sessionTone } from "./SessionWords.ts"

const CHECKED =
  "Checked in this browser: the bytes that are enabled are exactly the policy that was asked for, the key is the bot's, and each hash is computed anew. Whether you want it is yours to say."

const secondsRow = (name: string, seconds: number): ReviewRow => row(name, words(instantText(seconds * 1000)))

const millisRow = (name: string, millis: number): ReviewRow => row(name, words(instantText(millis)))

const keyRows = (session: PublicSession): ReadonlyArray<ReviewRow> => [
  row("key", exact(session.sessionKey)),
  secondsRow("from", session.validAfter),
  secondsRow("until", session.validUntil),
  millisRow("prepared", session.createdAt),
  row("compiled hash", exact(session.compiled.compiledHash))
]

const seenRows = ({ observation }: PublicSession): ReadonlyArray<ReviewRow> =>
  observation === undefined
    ? []
    : [
        millisRow("seen", observation.observedAt),
        row(
          "in block",
          exact(observation.evidence.blockNumber),
          words(" "),
          exact(observation.evidence.blockHash)
        ),
        row("finality", words(observation.finality.status)),
        row("the guard's enable nonce", exact(observation.enableNonce)),
        row("the guard's history", exact(observation.history))
      ]

const wholeRows = (session: PublicSession): ReadonlyArray<ReviewRow> => {
  const { compiled } = session
  return [
    row("session", exact(session.id)),
    row("grant of the bot", exact(session.grantId)),
    row("generation", exact(session.generation)),
    row("nonce", exact(session.nonce)),
    row("guard", exact(compiled.guard)),
    row("permission", exact(compiled.permissionId)),
    row("policy hash", exact(compiled.policyHash)),
    row("enabled at nonce", exact(compiled.enableNonce)),
    row("history before", exact(compiled.baseline.history)),
    row("history after", exact(compiled.expectedHistory)),
    row("limits as asked for", exact(session.allocationManifestHash)),
    ...seenRows(session)
  ]
}

interface SessionNow {
  readonly session: PublicSession
  /** On the service's clock, in milliseconds. */
  readonly now: number
}

/** In which its key acts, unless its owners end it. */
const Span = ({ session: { validAfter, validUntil }, now }: SessionNow) => (
  <>
    {validAfter * 1000 > now ? " · starts " : " · started "}
    <Time millis={validAfter * 1000} now={now} />
    {validUntil * 1000 > now ? ", ends " : ", ended "}
    <Time millis={validUntil * 1000} now={now} />
  </>
)

const Standing = ({ session, now }: SessionNow) => (
  <>
    <p>
      <span class={`state ${sessionTone(session.state)}`}>{sessionStanding(session.state)}</span>{" "}
      <a href={`/console/wallets/${session.bindingId}`}>The wallet</a>
      {session.state === "revoked" ? null : <Span session={session} now={now} />}
    </p>
    <p role={session.state === "stale" ? "alert" : undefined}>{sessionMeaning(session)}</p>
  </>
)

const Looking = ({ checked, desk, seat, show }: Acting) => {
  const look = () => seat.run("Looking again…", async () => show(await desk.read()))
  const count = () => seat.run("Reading the counters…", async () => show(await desk.count(checked)))
  return (
    <div class="actions">
      <button type="button" class="plain" onClick={look}>
        Look again
      </button>
      <button type="button" class="plain" onClick={count}>
        Read what is left
      </button>
    </div>
  )
}

const Whole = (acting: Acting) => {
  const { checked, desk, seat } = acting
  const { session, manifest, dangers } = checked
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [])
  const now = desk.nowMillis()
  const names = namesFor(manifest, session)
  return (
    <>
      <h2 class="first sentence" tabindex={-1} ref={place}>
        A session of the wallet <code>{session.wallet}</code> on{" "}
        {chainTitle(seat.capabilities, session.chainId)}.
      </h2>
      <Standing session={session} now={now} />
      <ChecksFound
        dangers={dangers}
        fine="The session is what it says"
        checked={CHECKED}
        bad="Danger: enable nothing of it"
      />
      <section>
        <h2>{session.state === "revoked" ? "What its key could do" : "What its key may do"}</h2>
        <PolicySaid encoded={session.compiled.encodedPolicy} names={names} />
      </section>
      <Enable {...acting} />
      <Counters session={session} names={names} now={now} />
      <Looking {...acting} />
      <Revoke {...acting} />
      <Rows rows={keyRows(session)} />
      <details class="folded">
        <summary>Every row of the session</summary>
        <Rows rows={wholeRows(session)} />
      </details>
    </>
  )
}

export const OneSession = ({ seat, path }: PageProps) => {
  const desk = useMemo(() => new SessionDesk(seat, path.split("/").at(-1) ?? ""), [path])
  const [checked, show] = useState<CheckedSession>()
  const read = () => seat.run("Reading the session…", async () => show(await desk.read()))
  useEffect(read, [path])
  return checked === undefined ? (
    <button type="button" class="primary" onClick={read}>
      Read the session
    </button>
  ) : (
    <Whole checked={checked} desk={desk} seat={seat} show={show} />
  )
}
