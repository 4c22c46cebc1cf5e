/** Binding a wallet to the account: what its owners sign for, in words, and their signatures until there are enough. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Client } from "../../client/Client.ts"
import { addressOf } from "../../client/SignRequest.ts"
import { BINDING_MEANS, bindingSentence, ownerRows, stateRows } from "../../review/BindingRows.ts"
import { chainTitle } from "../../review/ChainName.ts"
import { bindingRequest } from "../../review/OwnerRequest.ts"
import { distanceText, instantText } from "../../review/Times.ts"
import { exact, type ReviewRow, row, toned, words } from "../../review/Words.ts"
import { packSignatures } from "../../values/OwnerEnvelope.ts"
import { Pieces } from "../app/Pieces.tsx"
import { Rows } from "../app/Rows.tsx"
import type { PageProps, Seat } from "../app/Seat.ts"
import { TextField } from "../app/TextField.tsx"
import { forgetSignatures } from "../owners/Collected.ts"
import { type Collecting, OwnersSignatures, useCollected } from "../owners/Signatures.tsx"
import { forgetCreated } from "./Created.ts"
import { forgetChallenge, keepChallenge, recallChallenge } from "./PendingChallenge.ts"

type Challenge = Awaited<ReturnType<Client["smartAccounts"]["challenge"]>>

const askedRows = ({ state, asked }: Challenge, now: number): ReadonlyArray<ReviewRow> => [
  ...ownerRows(state),
  row(
    "signed before",
    words(`${instantText(asked.expiresAt * 1000)}, ${distanceText(asked.expiresAt * 1000, now)}`)
  )
]

const useBinding = (seat: Seat, challenge: Challenge) => {
  const { desk, run, go } = seat
  return (signature: `0x${string}`) =>
    run("Binding the wallet…", async () => {
      const { asked, stateHash, digest, state } = challenge
      const about = [row("wallet", exact(asked.address)), row("state", exact(stateHash))]
      const binding = await desk.about(about, ({ owner }) =>
        owner.smartAccounts.bind({ ...asked, stateHash, signature })
      )
      forgetSignatures(digest)
      forgetChallenge(desk.owner.account)
      forgetCreated(desk.owner.account, state.address)
      go(`/console/wallets/${binding.id}`)
    })
}

const BoundState = ({ challenge, now }: { challenge: Challenge; now: number }) => {
  const { state, stateHash, asked } = challenge
  const whole = [...stateRows(state), row("state hash", exact(stateHash)), row("nonce", exact(asked.nonce))]
  return (
    <>
      <section class="verdict fine">
        <h3>The wallet is as it is shown</h3>
        <p>
          The service inspected it, and this browser computed what is signed anew from what is shown.{" "}
          {BINDING_MEANS}
        </p>
      </section>
      <Rows rows={askedRows(challenge, now)} />
      <details class="folded">
        <summary>All that is bound</summary>
        <Rows rows={whole} />
      </details>
    </>
  )
}

const Asked = ({ seat, challenge, again }: { seat: Seat; challenge: Challenge; again: () => void }) => {
  const { desk } = seat
  const { state, digest } = challenge
  const now = desk.owner.clock.seconds() * 1000
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [digest])
  const sentence = bindingSentence(state, chainTitle(seat.capabilities, state.chainId), desk.owner.account)
  const request = bindingRequest(seat.capabilities.audience, state, challenge.typedData.message)
  const about = [toned("sentence", row("does", ...sentence)), ...askedRows(challenge, now)]
  const collecting: Collecting = { seat, request, ...state, about }
  const collected = useCollected(collecting)
  const bind = useBinding(seat, challenge)
  return (
    <>
      <h2 class="first sentence" tabindex={-1} ref={place}>
        <Pieces pieces={sentence} />
      </h2>
      <BoundState challenge={challenge} now={now} />
      <OwnersSignatures collecting={collecting} collected={collected} />
      <div class="actions">
        {collected.missing > 0 ? undefined : (
          <button
            type="button"
            class="primary"
            onClick={() => bind(packSignatures(collected.parts.slice(0, state.threshold)))}
          >
            Bind the wallet
          </button>
        )}
        <button type="button" class="plain" onClick={again}>
          Ask for another wallet
        </button>
      </div>
    </>
  )
}

interface Named {
  readonly manifestId: string
  readonly address: string
}

interface Kinds {
  readonly ids: ReadonlyArray<string>
  readonly chosen: string
  readonly choose: (id: string) => void
}

const KindOfWallet = ({ ids, chosen, choose }: Kinds) => (
  <div class="field">
    <label for="manifest">Kind of wallet</label>
    <select id="manifest" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {ids.map(id => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  </div>
)

const useKinds = (seat: Seat, first: string, found: (ids: ReadonlyArray<string>) => void) => {
  const [ids, setIds] = useState<ReadonlyArray<string>>([first])
  const read = () =>
    seat.run("Reading the kinds of wallets…", async () => {
      const { deployments } = await seat.desk.client.smartAccounts.capabilities()
      const all = deployments.map(({ manifestId }) => manifestId)
      setIds(all)
      found(all)
    })
  useEffect(() => {
    if (first === "") read()
  }, [])
  return ids
}

const WalletForm = ({ seat, named, ask }: { seat: Seat; named: Named; ask: (named: Named) => void }) => {
  const [typed, setTyped] = useState(named)
  const [fault, setFault] = useState("")
  const manifests = useKinds(seat, named.manifestId, ([id = ""]) =>
    setTyped(before => ({ ...before, manifestId: id }))
  )
  const begin = (event: Event) => {
    event.preventDefault()
    const isAddress = /^0x[0-9a-fA-F]{40}$/.test(typed.address)
    setFault(isAddress ? "" : "0x and 40 hexadecimal digits.")
    if (isAddress) ask(typed)
    else document.getElementById("address")?.focus()
  }
  return (
    <form onSubmit={begin} noValidate>
      <p>The wallet is inspected, and what its owners sign is shown first.</p>
      <div class="fields">
        <TextField
          id="address"
          label="The wallet's address"
          value={typed.address}
          fault={fault}
          change={address => setTyped({ ...typed, address: address.trim() })}
        />
        <KindOfWallet
          ids={manifests}
          chosen={typed.manifestId}
          choose={manifestId => setTyped({ ...typed, manifestId })}
        />
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          Inspect the wallet
        </button>
      </div>
    </form>
  )
}

export const BindWallet = ({ seat, query }: PageProps) => {
  const { desk, run } = seat
  const [challenge, setChallenge] = useState<Challenge>()
  const named = { manifestId: query.get("manifest") ?? "", address: query.get("address") ?? "" }
  const kept = () => recallChallenge(desk.owner.account, desk.owner.clock.seconds())
  const ask = ({ manifestId, address }: Named) =>
    run("Inspecting the wallet…", async () => {
      const before = kept()
      const isSame =
        before?.address.toLowerCase() === address.toLowerCase() && before.manifestId === manifestId
      const wanted = isSame ? before : { manifestId, address: addressOf(address) }
      const asked = await desk.owner.smartAccounts.challenge(wanted)
      keepChallenge(desk.owner.account, asked.asked)
      setChallenge(asked)
    })
  return challenge === undefined ? (
    <WalletForm seat={seat} named={named.address === "" ? (kept() ?? named) : named} ask={ask} />
  ) : (
    <Asked seat={seat} challenge={challenge} again={() => setChallenge(undefined)} />
  )
}
