/** The page of a wallet's operation: what the wallet does by it, whose signatures are there, and what became of it. */

import { useEffect, useMemo, useRef } from "preact/hooks"
import { ownersPart } from "../../client/OwnerSigning.ts"
import { isKey } from "../../review/CallReview.ts"
import { operationRows, wholeOperation } from "../../review/OperationRows.ts"
import { pagePath } from "../../review/PagePath.ts"
import { exact, row, toned } from "../../review/Words.ts"
import type { OwnerPart } from "../../values/OwnerEnvelope.ts"
import { ChecksFound } from "../app/ChecksFound.tsx"
import { Followed } from "../app/Followed.tsx"
import { HandOn } from "../app/HandOn.tsx"
import { Pieces } from "../app/Pieces.tsx"
import { Rows } from "../app/Rows.tsx"
import type { PageProps, Seat } from "../app/Seat.ts"
import { forgetSignatures } from "../owners/Collected.ts"
import { type Collecting, OwnersSignatures, useCollected } from "../owners/Signatures.tsx"
import { type CheckedOperation, OperationDesk } from "./OperationDesk.ts"
import { operationProgress, operationStanding } from "./OperationWords.ts"
import { sessionIdIn } from "./PlanOperations.ts"

interface Told {
  readonly checked: CheckedOperation
  readonly desk: OperationDesk
  readonly seat: Seat
}

const CHECKED =
  "Checked in this browser: the wallet makes exactly the plan's calls, every argument was read from the calldata itself, and each hash is computed anew. Whether you want it is yours to say."

const Progress = ({ checked: { operation }, seat }: Told) => {
  const needed = seat.capabilities.chains.find(({ id }) => id === operation.chainId)?.confirmations ?? 1
  const lines = operationProgress(operation, needed)
  return lines.length === 0 ? null : (
    <section class="progress">
      <h3>What is happening</h3>
      <div role="status" aria-atomic="false">
        <ol>
          {lines.map(({ words, tone }, at) => (
            <li key={at} class={tone}>
              {words}
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

const BY_KEY = "The key of a session signs it, and its bot sends it: no owner is asked."

interface Acting extends Told {
  readonly show: (checked: CheckedOperation) => void
}

interface GivenToBot {
  readonly id: string
  readonly digest: string
  readonly envelope: string
  readonly parts: ReadonlyArray<OwnerPart>
}

const ForBot = ({ id, digest, envelope, parts }: GivenToBot) => {
  const file = `signatures-${id}.json`
  const text = JSON.stringify({ digest, signatures: parts.map(({ signature }) => signature) }, null, 2)
  return (
    <>
      <p>
        The bot submits them as the operation's <code>signature</code>, or from a file by{" "}
        <code>
          service operation submit {id} --add-signature {file}
        </code>
        .
      </p>
      <HandOn
        ways={[
          { label: "Copy the signatures", text: envelope, isPrimary: true },
          { label: "Keep them as a file", text, file }
        ]}
      />
    </>
  )
}

const SignAndSend = ({ checked, desk, seat, show }: Acting) => {
  const { operation, request } = checked
  const { owners, threshold } = ownersPart(operation)
  const collecting: Collecting = { seat, request, owners, threshold, about: desk.about(checked) }
  const collected = useCollected(collecting)
  const obstacle = desk.obstacle(checked)
  const isOpen = desk.isOpen(checked)
  const send = () =>
    seat.run("Sending the operation…", async () => {
      show(await desk.send(checked, collected.parts))
      forgetSignatures(request.digest)
    })
  if (checked.dangers.length > 0) return null
  return (
    <>
      <OwnersSignatures collecting={collecting} collected={collected} isOpen={isOpen} />
      {obstacle === undefined ? undefined : <p class="obstacle">{obstacle}</p>}
      {obstacle !== undefined && isOpen && collected.missing === 0 ? (
        <ForBot
          id={operation.id}
          digest={request.digest}
          envelope={desk.envelope(checked, collected.parts)}
          parts={collected.parts}
        />
      ) : undefined}
      {obstacle === undefined && collected.missing === 0 ? (
        <div class="actions">
          <button type="button" class="primary" onClick={send}>
            Send the operation
          </button>
        </div>
      ) : undefined}
    </>
  )
}

const Calls = ({ checked: { review, operation } }: Told) => (
  <>
    {review.calls.map(({ index, title, sentence, rows, arguments: given }) => (
      <section class="step" key={index} aria-labelledby={`call-${index}`}>
        <h2 id={`call-${index}`}>
          <span class="number">Step {operation.stepIndexes[index]}</span> {title}
        </h2>
        {review.calls.length === 1 ? undefined : (
          <p class="sentence">
            <Pieces pieces={sentence} />
          </p>
        )}
        <Rows rows={rows.filter(isKey)} />
        <details class="folded">
          <summary>Every row of this call</summary>
          <Rows rows={[...rows.filter(each => !isKey(each)), ...given]} />
        </details>
      </section>
    ))}
  </>
)

const ToBeSigned = (acting: Acting) =>
  acting.checked.operation.session === undefined ? (
    <SignAndSend {...acting} />
  ) : (
    <p class="obstacle">{BY_KEY}</p>
  )

const Places = ({ checked: { operation, plan, principal }, seat }: Told) => {
  const session = operation.session?.id ?? sessionIdIn(plan)
  return (
    <>
      <a href={`/console/wallets/${operation.bindingId}`}>The wallet</a> ·{" "}
      <a href={pagePath(plan.id, seat.desk.owner.account, principal)}>The plan</a>
      {session === undefined ? undefined : " · "}
      {session === undefined ? undefined : <a href={`/console/sessions/${session}`}>The session</a>}
    </>
  )
}

const hashRows = ({ operation, request }: CheckedOperation) => [
  toned("key", row("operation hash", exact(request.operationHash))),
  toned("key", row("digest", exact(request.digest))),
  row("commitment", exact(operation.commitment)),
  row("carried by", exact(operation.providerId))
]

const Whole = (acting: Acting) => {
  const { checked, desk, seat, show } = acting
  const { operation, request, review } = checked
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [])
  const again = () => seat.run("Looking again…", async () => show(await desk.read()))
  const now = operation.state === "prepared" ? desk.nowMillis() : undefined
  return (
    <>
      <h2 class="first sentence" tabindex={-1} ref={place}>
        <Pieces pieces={review.sentence} />
      </h2>
      <p>
        <span class={`state ${operation.state}`}>{operationStanding(operation)}</span> <Places {...acting} />
      </p>
      <Progress {...acting} />
      <ChecksFound
        dangers={checked.dangers}
        fine="The operation is what it says"
        checked={CHECKED}
        bad="Danger: sign and send nothing of it"
      />
      {operation.state === "prepared" ? <ToBeSigned {...acting} /> : undefined}
      <div class="actions">
        <button type="button" class="plain" onClick={again}>
          Look again
        </button>
      </div>
      <Rows rows={[...operationRows(request.adapted, now), ...hashRows(checked)]} />
      <details class="folded">
        <summary>Every row of the operation</summary>
        <Rows rows={wholeOperation(request.adapted)} />
      </details>
      <Calls {...acting} />
    </>
  )
}

export const OperationReview = ({ seat, path }: PageProps) => {
  const desk = useMemo(() => new OperationDesk(seat, path.split("/").at(-1) ?? ""), [path])
  return (
    <Followed seat={seat} desk={desk} name="operation" recordOf={({ operation }) => operation}>
      {(checked, show) => <Whole checked={checked} desk={desk} seat={seat} show={show} />}
    </Followed>
  )
}
