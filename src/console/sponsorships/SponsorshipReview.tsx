/** The page of a sponsorship: what it asks of whom, the requests with their hashes, and the one thing that is to be done next. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isRefusedBy } from "../../client/Errors.ts"
import { nativeAmount } from "../../review/Amounts.ts"
import { pagePath } from "../../review/PagePath.ts"
import { requestRows, sponsorSentence } from "../../review/SponsorReview.ts"
import { distanceText, instantText } from "../../review/Times.ts"
import { exact, type ReviewRow, row, words } from "../../review/Words.ts"
import type { QuotedPayment, Sponsorship } from "../../sponsorship/Sponsorship.ts"
import { doubtMeanings } from "../../sponsorship/SponsorshipMeanings.ts"
import { ChecksFound } from "../app/ChecksFound.tsx"
import { Followed } from "../app/Followed.tsx"
import { Pieces } from "../app/Pieces.tsx"
import { Rows } from "../app/Rows.tsx"
import type { PageProps, Seat } from "../app/Seat.ts"
import { isUnheard } from "../Unheard.ts"
import { payingPlan } from "./PaidSponsorship.ts"
import { type CheckedSponsorship, type SignedRequests, SponsorshipDesk } from "./SponsorshipDesk.ts"
import { happening, stateName, wholeRequest } from "./SponsorshipWords.ts"

interface Told {
  readonly checked: CheckedSponsorship
  readonly desk: SponsorshipDesk
}

const CHECKED =
  "Checked in this browser: the requests are the plan's own calls, for the catalog's forwarder, and each hash is computed anew. Whether you want it is yours to say."

const Request = ({
  request,
  now,
  state
}: {
  readonly request: Sponsorship["authorizations"][number]
  readonly now: number
  readonly state: string | undefined
}) => (
  <section class="step" aria-labelledby={`request-${request.stepIndex}`}>
    <h2 id={`request-${request.stepIndex}`}>
      <span class="number">Step {request.stepIndex}</span> as a request{" "}
      {state === undefined ? undefined : <span class={`state ${state}`}>{state}</span>}
    </h2>
    <Rows rows={requestRows({ authorizations: [request] }, now).flatMap(({ rows = [] }) => rows)} />
    <details class="folded">
      <summary>Every row of this request</summary>
      <Rows rows={wholeRequest(request)} />
    </details>
  </section>
)

const paymentRows = (
  { chainId, to, value, deadline }: QuotedPayment,
  now: number
): ReadonlyArray<ReviewRow> => {
  const end = Number(deadline) * 1000
  return [
    row("pays", ...nativeAmount(value), words(` on chain ${chainId}`)),
    row("to", exact(to), words(", whose code is the pinned one")),
    row("before", words(`${instantText(end)}, ${distanceText(end, now)}`))
  ]
}

const Quote = ({
  sponsorship: { quote, nextAction },
  now
}: {
  readonly sponsorship: Sponsorship
  readonly now: number
}) => {
  if (quote === undefined) return null
  const { payments, bundleId, reason } = quote
  const rows = [
    ...payments.flatMap(payment => paymentRows(payment, now)),
    row("bundle", exact(bundleId)),
    ...(reason === undefined ? [] : [row("not proved", words(doubtMeanings[reason]))])
  ]
  const isOver = nextAction.kind === "none" || nextAction.kind === "prepare-again"
  return (
    <section class="plan">
      <h2>What the provider {isOver ? "asked" : "asks"} for</h2>
      {payments.length === 0 ? <p>Nothing that is proved.</p> : undefined}
      <Rows rows={rows} />
    </section>
  )
}

const Next = ({ checked: { sponsorship } }: Told) => (
  <section class="progress">
    <h3>What is happening</h3>
    <p role="status">
      <span class={`state ${sponsorship.state}`}>{stateName(sponsorship)}</span> {happening(sponsorship)}
    </p>
  </section>
)

interface Acting extends Told {
  readonly seat: Seat
  readonly show: (checked: CheckedSponsorship) => void
}

const UNHEARD =
  "Whether the service has them is not known here. Hand the same requests in again: they are published once at most."

const SIGNED_WRONGLY = ["FORWARD_SIGNATURE_MISMATCH", "INVALID_FORWARD_SIGNATURE"] as const

/** Signatures stay with the page, so that what was perhaps handed in is handed in again as it was. */
const SignAndHandIn = ({ checked, desk, seat, show }: Acting) => {
  const [signed, setSigned] = useState<SignedRequests>()
  const [isLost, setLost] = useState(false)
  const [isHandedIn, setHandedIn] = useState(false)
  const obstacle = desk.obstacle(checked)
  if (obstacle !== undefined) return <p class="obstacle">{obstacle}</p>
  const sign = () => seat.run("Waiting for the wallet…", async () => setSigned(await desk.sign(checked)))
  const handIn = (given: SignedRequests) =>
    seat.run("Handing the requests in…", async () => {
      const published = await desk.handIn(checked, given).catch((failure: unknown) => {
        if (isUnheard(failure)) setLost(true)
        if (SIGNED_WRONGLY.some(code => isRefusedBy(failure, code))) {
          desk.forgetSignatures()
          setSigned(undefined)
        }
        throw failure
      })
      setHandedIn(true)
      show(await desk.handedIn(checked, published))
      setHandedIn(false)
    })
  if (isHandedIn) return <p>The requests were handed in.</p>
  return signed === undefined ? (
    <button type="button" class="primary" onClick={sign}>
      Sign the requests
    </button>
  ) : (
    <>
      <p>{isLost ? UNHEARD : "Signed. Nothing was handed in yet."}</p>
      <button type="button" class="primary" onClick={() => handIn(signed)}>
        Hand them in
      </button>
    </>
  )
}

const Fund = ({ checked, desk, seat }: Acting) => {
  if (checked.dangers.length > 0) return null
  const paying = payingPlan(checked.sponsorship.id)
  if (paying !== undefined)
    return (
      <p class="obstacle">
        The wallet was asked to pay for it, by <a href={desk.pathOf(paying)}>another plan</a>: it is paid for
        once, so look there what became of that.
      </p>
    )
  const fund = (chainId: number) => () =>
    seat.run("Preparing the payment…", async () => seat.go(await desk.fund(checked, chainId)))
  return (
    <>
      {checked.sponsorship.quote?.payments.map(({ chainId }) => (
        <button key={chainId} type="button" class="primary" onClick={fund(chainId)}>
          Prepare the payment on chain {chainId}
        </button>
      ))}
    </>
  )
}

const Actions = (acting: Acting) => {
  const { checked, desk, seat, show } = acting
  const { nextAction, funding } = checked.sponsorship
  const { kind } = nextAction
  const again = () => seat.run("Looking again…", async () => show(await desk.read(true)))
  return (
    <div class="actions">
      {kind === "sign" ? <SignAndHandIn {...acting} /> : undefined}
      {kind === "fund" ? <Fund {...acting} /> : undefined}
      {funding === undefined ? undefined : <a href={desk.pathOf(funding.planId)}>The plan that pays</a>}
      <button type="button" class="plain" onClick={again}>
        Look again
      </button>
    </div>
  )
}

const Whole = (acting: Acting) => {
  const { checked, desk, seat } = acting
  const { sponsorship, plan, does, gasPrice, principal } = checked
  const now = desk.nowMillis()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const stateOf = (index: number) =>
    sponsorship.observations.find(({ stepIndex }) => stepIndex === index)?.state
  return (
    <>
      <h2 class="first sentence" tabindex={-1} ref={heading}>
        <Pieces pieces={sponsorSentence(sponsorship, now, gasPrice)} />
      </h2>
      <p class="sentence">
        <a href={pagePath(plan.id, seat.desk.owner.account, principal)}>The plan</a>: <Pieces pieces={does} />
      </p>
      <ChecksFound
        dangers={checked.dangers}
        fine="The requests are what they say"
        checked={CHECKED}
        bad="Danger: sign and pay nothing of it"
      />
      <Next {...acting} />
      <Quote sponsorship={sponsorship} now={now} />
      <Actions {...acting} />
      {sponsorship.authorizations.map(request => (
        <Request key={request.stepIndex} request={request} now={now} state={stateOf(request.stepIndex)} />
      ))}
    </>
  )
}

export const SponsorshipReview = ({ seat, path }: PageProps) => {
  const desk = useMemo(() => new SponsorshipDesk(seat, path.split("/").at(-1) ?? ""), [path])
  return (
    <Followed seat={seat} desk={desk} name="sponsorship" recordOf={({ sponsorship }) => sponsorship}>
      {(checked, show) => <Whole checked={checked} desk={desk} seat={seat} show={show} />}
    </Followed>
  )
}
