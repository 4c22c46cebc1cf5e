/** What another owner asks to be signed for their wallet: computed anew, in words, and signed by whichever owner is at the page. */

import { useEffect, useRef, useState } from "preact/hooks"
import { createPublicClient } from "../../client/Client.ts"
import { type AskedReview, reviewAsked } from "../../review/AskedReview.ts"
import { isKey } from "../../review/CallReview.ts"
import { type OwnerRequest, readOwnerRequest } from "../../review/OwnerRequest.ts"
import { exact, type ReviewRow, row, toned, words } from "../../review/Words.ts"
import { ChecksFound } from "../app/ChecksFound.tsx"
import { Pieces } from "../app/Pieces.tsx"
import { Rows } from "../app/Rows.tsx"
import type { Stage } from "../Stage.ts"
import { SignPart } from "./SignPart.tsx"

interface Asked {
  readonly request: OwnerRequest
  readonly review: AskedReview
  readonly now: number
}

interface SignPageProps {
  readonly stage: Stage
  /** From a link; empty where nothing came with it. */
  readonly given: string
}

const CHECKED =
  "Checked in this browser: what is signed was computed anew from what is shown. Whether you want it is yours to say."

const NOT_ASKED = {
  title: "This is nothing that an owner of a wallet signs here",
  advice: "Sign nothing of it elsewhere either. Ask the other owner for the link anew.",
  rows: []
}

const readFrom = async (stage: Stage, text: string): Promise<Asked | undefined> => {
  const client = createPublicClient({ baseUrl: location.origin })
  const capabilities = await client.capabilities()
  const now = client.clock.seconds() * 1000
  const request = ((): OwnerRequest | undefined => {
    try {
      return readOwnerRequest(text, capabilities.audience)
    } catch {
      return undefined
    }
  })()
  if (request === undefined) {
    stage.warn(NOT_ASKED)
    return undefined
  }
  return { request, review: await reviewAsked(request, { client, capabilities, now }), now }
}

const Take = ({ take }: { take: (text: string) => void }) => {
  const [text, setText] = useState("")
  return (
    <>
      <p>Open the link that another owner of the wallet sent you, or take what they sent from here.</p>
      <div class="field">
        <label for="request">What another owner asks you to sign</label>
        <textarea
          id="request"
          rows={5}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="button" class="primary" disabled={text.trim() === ""} onClick={() => take(text)}>
          Look at it
        </button>
        <label>
          or from a file{" "}
          <input
            type="file"
            accept=".json,application/json"
            onChange={async ({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? []
              if (chosen !== undefined) take(await chosen.text())
            }}
          />
        </label>
      </div>
    </>
  )
}

const shownRows = ({ request: { digest }, review: { calls, rows } }: Asked): ReadonlyArray<ReviewRow> => [
  ...calls.map(call => ({
    ...row(`call ${call.index}`, words(`${call.title}: `), ...call.sentence),
    rows: [
      ...call.rows.filter(isKey),
      { name: "every row", value: [], folded: true, rows: [...call.rows, ...call.arguments] }
    ]
  })),
  ...rows,
  toned("key", row("digest", exact(digest)))
]

const Whole = ({ asked, stage }: { asked: Asked; stage: Stage }) => {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [asked])
  const { request, review, now } = asked
  const isOver = review.endsAt * 1000 <= now
  return (
    <>
      <h2 class="first sentence" tabindex={-1} ref={place}>
        <Pieces pieces={review.sentence} />
      </h2>
      <ChecksFound
        dangers={review.dangers}
        fine="It is what it says"
        checked={`${CHECKED} ${review.means}`}
        bad="Danger: sign nothing of it"
      />
      <Rows rows={shownRows(asked)} />
      <details class="folded">
        <summary>Every row of it</summary>
        <Rows rows={review.whole} />
      </details>
      {review.dangers.length > 0 ? undefined : isOver ? (
        <p class="obstacle">It has ended: ask for a new one.</p>
      ) : (
        <SignPart request={request} review={review} stage={stage} />
      )}
    </>
  )
}

export const SignPage = ({ stage, given }: SignPageProps) => {
  const [asked, setAsked] = useState<Asked>()
  const take = (text: string) =>
    stage.next("Reading what is asked…", async () => setAsked(await readFrom(stage, text)))
  useEffect(() => {
    if (given !== "") take(given)
  }, [])
  return asked === undefined ? <Take take={take} /> : <Whole asked={asked} stage={stage} />
}
