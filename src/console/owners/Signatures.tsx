/** How many of a wallet's owners signed, and the ways for the others to: a link, a file, or what they send pasted in. */
import { useEffect, useRef, useState } from "preact/hooks"
import { signPayload } from "../../client/Signer.ts"
import { type FoundSignatures, signaturesIn } from "../../review/OwnerAnswers.ts"
import { requestLink } from "../../review/OwnerLink.ts"
import { type OwnerRequest, ownerRequestText, payloadOf } from "../../review/OwnerRequest.ts"
import type { ReviewRow } from "../../review/Words.ts"
import { HandOn } from "../app/HandOn.tsx"
import type { Seat } from "../app/Seat.ts"
import { keepSignature, onSignature, recallSignatures } from "./Collected.ts"

export interface Collecting {
  readonly seat: Seat
  readonly request: OwnerRequest
  readonly owners: ReadonlyArray<string>
  readonly threshold: number
  /** What the wallet's question says beside the typed data. */
  readonly about: ReadonlyArray<ReviewRow>
}

export interface Collected extends FoundSignatures {
  readonly missing: number
  readonly take: (text: string) => void
}

const NONE: FoundSignatures = { parts: [], strange: 0 }

/** What was kept of them in this browser, and what other tabs keep meanwhile. */
export const useCollected = ({ request: { digest }, owners, threshold }: Collecting): Collected => {
  const [found, setFound] = useState(NONE)
  const look = () => setFound(signaturesIn(recallSignatures(digest), digest, owners))
  useEffect(() => {
    look()
    return onSignature(digest, look)
  }, [digest])
  const take = (text: string) => {
    const all = signaturesIn(`${recallSignatures(digest)} ${text}`, digest, owners)
    for (const { signature } of all.parts) keepSignature(digest, signature)
    setFound(all)
  }
  return { ...found, missing: Math.max(0, threshold - found.parts.length), take }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const Owners = ({ owners, parts, own }: { owners: Collecting["owners"]; own: string } & FoundSignatures) => (
  <ul class="items">
    {owners.map(owner => {
      const isSigned = parts.some(({ signer }) => isSame(signer, owner))
      return (
        <li class="item" key={owner}>
          <code>{owner}</code>{" "}
          <span class={`state ${isSigned ? "confirmed" : ""}`}>{isSigned ? "signed" : "not yet"}</span>
          {isSame(owner, own) ? " your wallet" : ""}
        </li>
      )
    })}
  </ul>
)

const Paste = ({ take, strange }: Pick<Collected, "take" | "strange">) => {
  const [text, setText] = useState("")
  const field = useRef<HTMLTextAreaElement>(null)
  const file = async ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    const [chosen] = currentTarget.files ?? []
    if (chosen !== undefined) take(await chosen.text())
  }
  const add = () => {
    take(text)
    setText("")
    field.current?.focus()
  }
  return (
    <>
      <div class="field">
        <label for="signatures">Signatures that other owners sent</label>
        <textarea
          id="signatures"
          ref={field}
          rows={3}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="button" class="plain" disabled={text.trim() === ""} onClick={add}>
          Add them
        </button>
        <label>
          or from a file <input type="file" accept=".json,.txt,application/json,text/plain" onChange={file} />
        </label>
      </div>
      <p role="status" class="fault">
        {strange === 0
          ? ""
          : `${strange === 1 ? "One signature is" : `${strange} signatures are`} not of an owner over exactly this, and left out.`}
      </p>
    </>
  )
}

const useLink = (text: string): string => {
  const [link, setLink] = useState("")
  useEffect(() => void requestLink(location.origin, text).then(setLink), [text])
  return link
}

const Sharing = ({ request }: Pick<Collecting, "request">) => {
  const text = ownerRequestText(request)
  const link = useLink(text)
  return (
    <>
      <HandOn
        ways={[
          { label: "Copy a link for another owner", text: link },
          { label: "Keep it as a file", text, file: `to-sign-${request.digest}.json` }
        ]}
      />
      <details class="folded">
        <summary>The link itself</summary>
        <div class="field">
          <label for="link">Link for another owner</label>
          <textarea id="link" rows={3} readOnly value={link} />
        </div>
      </details>
    </>
  )
}

const heading = (signed: number, threshold: number): string => `${signed} of ${threshold} signatures`

export const OwnersSignatures = ({
  collecting,
  collected,
  isOpen = true
}: {
  collecting: Collecting
  collected: Collected
  /** Whether more signatures are of any use. */
  isOpen?: boolean
}) => {
  const { seat, request, owners, threshold, about } = collecting
  const { desk } = seat
  const place = useRef<HTMLHeadingElement>(null)
  const isOwner = owners.some(owner => isSame(owner, desk.wallet))
  const hasSigned = collected.parts.some(({ signer }) => isSame(signer, desk.wallet))
  const sign = () =>
    seat.run("Waiting for the wallet…", async () => {
      collected.take(await desk.about(about, ({ signer }) => signPayload(signer, payloadOf(request))))
      place.current?.focus()
    })
  return (
    <section class="plan">
      <h2 tabindex={-1} ref={place}>
        {heading(collected.parts.length, threshold)}
      </h2>
      <p>
        Each owner signs the same digest <code>{request.digest}</code>. The link and the file carry all that
        is to be signed; whoever opens them sees it in words, computed anew.
      </p>
      <Owners owners={owners} own={desk.wallet} {...collected} />
      <div class="actions">
        {isOpen && isOwner && !hasSigned ? (
          <button type="button" class="primary" onClick={sign}>
            Sign with your wallet
          </button>
        ) : undefined}
      </div>
      {collected.missing === 0 || !isOpen ? undefined : (
        <>
          <Sharing request={request} />
          <Paste {...collected} />
        </>
      )}
    </section>
  )
}
