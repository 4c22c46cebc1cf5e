/** A new session: for which wallet and whose key, what it may do and spend, and what the bytes of that say before anything is stored. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { BotGrant } from "../../accounts/Account.ts"
import { freshNonce } from "../../client/SignRequest.ts"
import { realSystem } from "../../client/System.ts"
import { chainTitle } from "../../review/ChainName.ts"
import { instantText } from "../../review/Times.ts"
import { visible } from "../../values/UntrustedText.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { SelectField } from "../app/SelectField.tsx"
import { TextField } from "../app/TextField.tsx"
import type { Editing } from "./EditorParts.ts"
import { GasPart } from "./GasPart.tsx"
import { Limits } from "./Limits.tsx"
import { readDraft } from "./ReadDraft.ts"
import type { Faults } from "./Reading.ts"
import { type ReviewedSession, reviewDraft } from "./ReviewDraft.ts"
import { RightsPart } from "./Rights.tsx"
import { type Choices, readChoices, type WalletChoice } from "./SessionChoices.ts"
import { newDraft, type SessionDraft } from "./SessionDraft.ts"
import { SessionReviewed } from "./SessionReviewed.tsx"

const LONGEST_LABEL = 40

const walletText = ({ binding: { wallet } }: WalletChoice, { capabilities }: Seat): string =>
  `${wallet.address} on ${chainTitle(capabilities, wallet.chainId)}`

const botText = ({ label, botAddress, expiresAt }: BotGrant): string =>
  `${visible(label, LONGEST_LABEL).text || "without a label"}: ${botAddress}, until ${instantText(expiresAt * 1000)}`

interface Choosing {
  readonly editing: Editing
  readonly choices: Choices
  readonly seat: Seat
  readonly chooseWallet: (bindingId: string) => void
}

const Whose = ({ editing, choices, seat, chooseWallet }: Choosing) => {
  const { draft, change, faults } = editing
  return (
    <>
      <SelectField
        id="wallet"
        label="For which wallet"
        value={draft.bindingId}
        options={choices.wallets.map(each => [each.binding.id, walletText(each, seat)])}
        change={chooseWallet}
      />
      <SelectField
        id="bot"
        label="Whose key"
        about="A bot with all three rights on the account, whose grant lasts as long as the session."
        value={draft.grantId}
        options={choices.bots.map(bot => [bot.id, botText(bot)])}
        fault={faults.bot ?? ""}
        change={grantId => change({ grantId })}
      />
    </>
  )
}

const HowLong = ({ editing: { draft, change, faults } }: { readonly editing: Editing }) => (
  <div class="fields">
    <SelectField
      id="days"
      label="For how long"
      value={draft.days}
      options={[
        ["7", "7 days"],
        ["30", "30 days"]
      ]}
      change={days => change({ days: days === "30" ? "30" : "7" })}
    />
    <TextField
      id="starts"
      label="Starts in how many hours"
      about="0: with its preparation."
      isNumber
      value={draft.startsIn}
      fault={faults.starts ?? ""}
      change={startsIn => change({ startsIn: startsIn.trim() })}
    />
    <TextField
      id="calls"
      label="Most calls in all"
      about="One operation makes one call, one after the other."
      isNumber
      value={draft.calls}
      fault={faults.calls ?? ""}
      change={calls => change({ calls: calls.trim() })}
    />
  </div>
)

/** The first that is wrong, in the order of the page. */
const focusOn = (faults: Faults): void => {
  const fields = [...document.querySelectorAll<HTMLElement>("form input, form select")]
  fields.find(({ id }) => Object.hasOwn(faults, id))?.focus()
}

interface EditorProps {
  readonly seat: Seat
  readonly choices: Choices
  readonly first: WalletChoice
}

/** Of the kind of wallet, since each has reviewed other contracts. */
const begun = ({ seat, choices }: EditorProps, { manifest, binding }: WalletChoice): SessionDraft =>
  newDraft({
    manifest,
    bindingId: binding.id,
    grantId: choices.bots[0]?.id ?? "",
    beneficiary: seat.desk.wallet,
    price: choices.suggested.price
  })

const useReview = ({ seat, choices }: EditorProps) => {
  const [faults, setFaults] = useState<Faults>({})
  const [reviewed, setReviewed] = useState<ReviewedSession>()
  const latest = useRef<SessionDraft | undefined>(undefined)
  const review = (draft: SessionDraft, choice: WalletChoice) => {
    const bot = choices.bots.find(({ id }) => id === draft.grantId)
    const { binding, manifest } = choice
    const { input, ...read } = readDraft(draft, {
      manifest,
      bindingId: binding.id,
      wallet: binding.wallet.address,
      grantEnds: bot?.expiresAt ?? 0,
      nowSeconds: seat.desk.owner.clock.seconds(),
      nonce: freshNonce(realSystem)
    })
    setFaults(read.faults)
    if (input === undefined || bot === undefined) return focusOn(read.faults)
    const isAtOnce = draft.startsIn === "0"
    latest.current = draft
    seat.run("Reviewing the session…", async () => {
      const answer = await reviewDraft(seat, { choice, bot, input, isAtOnce })
      if (latest.current === draft) setReviewed(answer)
    })
  }
  const drop = () => {
    latest.current = undefined
    setReviewed(undefined)
  }
  return { faults, reviewed, review, drop }
}

const useEditor = (props: EditorProps) => {
  const { choices, first } = props
  const [choice, choose] = useState(first)
  const [draft, setDraft] = useState(() => begun(props, first))
  const { faults, reviewed, review, drop } = useReview(props)
  const change = (over: Partial<SessionDraft>) => {
    setDraft({ ...draft, ...over })
    drop()
  }
  const chooseWallet = (id: string) => {
    const next = choices.wallets.find(({ binding }) => binding.id === id) ?? choice
    choose(next)
    change(next.manifest.id === choice.manifest.id ? { bindingId: id } : begun(props, next))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    review(draft, choice)
  }
  const editing: Editing = { draft, change, faults, manifest: choice.manifest }
  return { editing, chooseWallet, submit, reviewed }
}

const Editor = (props: EditorProps) => {
  const { seat, choices } = props
  const { editing, chooseWallet, submit, reviewed } = useEditor(props)
  return (
    <>
      <form class="doing session" onSubmit={submit} noValidate>
        <Whose editing={editing} choices={choices} seat={seat} chooseWallet={chooseWallet} />
        <HowLong editing={editing} />
        <Limits {...editing} />
        <RightsPart editing={editing} beneficiary={seat.desk.wallet} />
        <GasPart editing={editing} priceAbout={choices.suggested.about} />
        <div class="actions">
          <button type="submit" class={reviewed === undefined ? "primary" : "plain"}>
            Review it
          </button>
        </div>
      </form>
      {reviewed === undefined ? undefined : <SessionReviewed seat={seat} reviewed={reviewed} />}
    </>
  )
}

const NoWallet = () => (
  <p>
    No wallet of the account can have a session:{" "}
    <a href="/console/wallets">bind one whose kind has a guard</a>.
  </p>
)

const NoBot = () => (
  <p>
    No bot can have a session: <a href="/console/bots">grant one</a> that may read, prepare plans and hand in,
    for longer than the session.
  </p>
)

const WHAT =
  "Nothing is stored before you review it, and nothing that is stored gives authority before the wallet's owners enable it. The bots are the owner's to list: the wallet signs for it."

export const SessionEditor = ({ seat, query }: PageProps) => {
  const [choices, setChoices] = useState<Choices>()
  const read = () =>
    seat.run("Reading the wallets and the bots…", async () =>
      setChoices(await readChoices(seat, query.get("wallet")))
    )
  useEffect(read, [])
  const [first] = choices?.wallets ?? []
  return (
    <>
      <p>{WHAT}</p>
      {choices === undefined ? (
        <button type="button" class="primary" onClick={read}>
          Read the wallets and the bots
        </button>
      ) : first === undefined ? (
        <NoWallet />
      ) : choices.bots.length === 0 ? (
        <NoBot />
      ) : (
        <Editor seat={seat} choices={choices} first={first} />
      )}
    </>
  )
}
