/** A grant for a key that is made elsewhere: the page shows what the bot signs, and takes its proof. */
import { useState } from "preact/hooks"
import type { BotGrant, Scopes } from "../../accounts/Account.ts"
import type { TypedDataPayload } from "../../client/Signer.ts"
import { instantText } from "../../review/Times.ts"
import { exact, row, untrusted, words } from "../../review/Words.ts"
import { HandOn } from "../app/HandOn.tsx"
import type { Seat } from "../app/Seat.ts"
import { TextField } from "../app/TextField.tsx"
import type { AskingFor } from "../Desk.ts"
import { tooLongText } from "./TooLong.ts"

const SCOPES: Readonly<Record<string, Scopes>> = {
  read: ["read"],
  plan: ["read", "plan"],
  relay: ["read", "plan", "relay"]
}

const DAY_SECONDS = 86_400
/** The longest that is granted, less what clocks differ by. */
const LONGEST_SECONDS = 365 * DAY_SECONDS - 60
const LONGEST_LABEL = 120
const PROOF = /^0x[0-9a-fA-F]{130}$/

/** What the bot is to sign, and who waits for its signature. */
interface Asked {
  readonly terms: string
  readonly take: (proof: string) => void
  readonly drop: () => void
}

const TermsText = ({ terms }: Pick<Asked, "terms">) => (
  <>
    <div class="field">
      <label for="terms">Terms (EIP-712)</label>
      <textarea id="terms" rows={8} readOnly value={terms} />
    </div>
    <HandOn ways={[{ label: "Copy the terms", text: terms }]} />
  </>
)

const Proof = ({ asked: { terms, take, drop } }: { readonly asked: Asked }) => {
  const [proof, setProof] = useState("")
  return (
    <section>
      <h2>What the bot signs</h2>
      <p>
        Keep this text as <code>terms.json</code> where the bot's key is, have it signed with{" "}
        <code>service bot key --out bot.json --terms terms.json</code>, and paste what that prints. The text
        belongs to this one request.
      </p>
      <TermsText terms={terms} />
      <TextField
        id="proof"
        label="The bot's proof"
        about="0x and 130 hexadecimal digits"
        value={proof}
        change={text => setProof(text.trim())}
      />
      <div class="actions">
        <button type="button" class="primary" disabled={!PROOF.test(proof)} onClick={() => take(proof)}>
          Grant it with the wallet
        </button>
        <button type="button" class="plain" onClick={drop}>
          Drop it
        </button>
      </div>
    </section>
  )
}

interface Wanted {
  readonly address: string
  readonly scope: string
  readonly days: string
  readonly label: string
}

const faultIn = ({ address, days, label }: Wanted): TermsProps["fault"] => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return { address: "0x and 40 hexadecimal digits." }
  const isDays = /^[1-9][0-9]{0,2}$/.test(days) && Number(days) <= 365
  if (!isDays) return { days: "A whole number from 1 to 365." }
  const tooLong = tooLongText(label, LONGEST_LABEL)
  return tooLong === "" ? {} : { label: tooLong }
}

interface TermsProps {
  readonly wanted: Wanted
  readonly change: (over: Partial<Wanted>) => void
  readonly fault: { readonly address?: string; readonly days?: string; readonly label?: string }
}

const Terms = ({ wanted, change, fault }: TermsProps) => (
  <div class="fields">
    <TextField
      id="address"
      label="The bot's address"
      value={wanted.address}
      fault={fault.address ?? ""}
      change={address => change({ address: address.trim() })}
    />
    <div class="field">
      <label for="scope">What it may</label>
      <select
        id="scope"
        value={wanted.scope}
        onChange={({ currentTarget }) => change({ scope: currentTarget.value })}
      >
        <option value="read">read</option>
        <option value="plan">read, prepare plans</option>
        <option value="relay">read, prepare plans, hand in</option>
      </select>
      <small class="muted">It hands in only what your wallet signed or approved.</small>
    </div>
    <TextField
      id="days"
      label="For how many days"
      isNumber
      value={wanted.days}
      fault={fault.days ?? ""}
      change={days => change({ days: days.trim() })}
    />
    <TextField
      id="label"
      label="Label"
      value={wanted.label}
      fault={fault.label ?? ""}
      change={label => change({ label })}
    />
  </div>
)

interface Making {
  readonly seat: Seat
  readonly granted: (bot: BotGrant) => void
}

const wordsOf = ({ address, label }: Wanted, scopes: Scopes, expiresAt: number) => [
  row("bot", exact(address)),
  row("scopes", words(scopes.join(", "))),
  row("until", words(instantText(expiresAt * 1000))),
  row("label", untrusted(label))
]

/** The bot's proof is bound to the nonce of the owner's request, which therefore waits for it; the page does not. */
const termsFor = async (
  { seat: { desk, run }, granted }: Making,
  wanted: Wanted,
  show: (asked: Asked | undefined) => void
): Promise<void> => {
  const { owner } = desk
  await owner.audience()
  const scopes = SCOPES[wanted.scope] ?? ["read"]
  const expiresAt = owner.clock.seconds() + Math.min(Number(wanted.days) * DAY_SECONDS, LONGEST_SECONDS)
  const about = wordsOf(wanted, scopes, expiresAt)
  const asking = ({ owner: { bots } }: AskingFor) =>
    new Promise<void>((shown, failed) => {
      const signTypedData = (payload: TypedDataPayload): Promise<string> =>
        new Promise((prove, drop) => {
          const take = (proof: string) =>
            run("Waiting for the wallet…", async () => {
              try {
                prove(proof)
                granted(await grant)
              } finally {
                show(undefined)
              }
            })
          show({
            terms: JSON.stringify(payload, null, 2),
            take,
            drop: () => {
              drop(new Error("dropped"))
              show(undefined)
            }
          })
          shown()
        })
      const bot = { address: wanted.address, signTypedData }
      const grant = bots.grant({ bot, scopes, expiresAt, label: wanted.label })
      grant.catch(failed)
    })
  await desk.about(about, asking)
}

export const NewBot = (making: Making) => {
  const [wanted, setWanted] = useState<Wanted>({ address: "", scope: "read", days: "30", label: "" })
  const [fault, setFault] = useState<TermsProps["fault"]>({})
  const [asked, setAsked] = useState<Asked>()
  const [made, setMade] = useState<BotGrant>()
  const change = (over: Partial<Wanted>) => setWanted({ ...wanted, ...over })
  const begin = (event: Event) => {
    event.preventDefault()
    const found = faultIn(wanted)
    setFault(found)
    const [wrong] = Object.keys(found)
    if (wrong !== undefined) return document.getElementById(wrong)?.focus()
    const granted = (bot: BotGrant) => {
      setMade(bot)
      making.granted(bot)
    }
    making.seat.run("Making the terms…", () => termsFor({ ...making, granted }, wanted, setAsked))
  }
  if (asked !== undefined) return <Proof asked={asked} />
  return (
    <section>
      <h2>A new bot</h2>
      <p role="status">
        {made === undefined ? "" : "Granted. Have the bot keep its grant: "}
        {made === undefined ? undefined : <code>service bot key --out bot.json --grant {made.id}</code>}
      </p>
      <p>
        Make its key where the bot runs: the key stays there, and this page needs its address.{" "}
        <code>service bot key --out bot.json --account {making.seat.desk.owner.account}</code>
      </p>
      <form onSubmit={begin}>
        <Terms wanted={wanted} change={change} fault={fault} />
        <div class="actions">
          <button type="submit" class="plain">
            Make the terms
          </button>
        </div>
      </form>
    </section>
  )
}
