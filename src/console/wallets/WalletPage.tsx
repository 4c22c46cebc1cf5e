/** One bound wallet as it is now: whether it still is what its owners signed for, what can be done with it, and its unlinking. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Client } from "../../client/Client.ts"
import { ownerRows, stateRows, thresholdText } from "../../review/BindingRows.ts"
import { chainTitle } from "../../review/ChainName.ts"
import { exact, type ReviewRow, row, words } from "../../review/Words.ts"
import { Rows } from "../app/Rows.tsx"
import type { PageProps, Seat } from "../app/Seat.ts"
import { bindPath } from "./WalletsPage.tsx"

type Binding = Awaited<ReturnType<Client["smartAccounts"]["show"]>>

const Linked = ({ binding }: { binding: Binding }) => (
  <section class="verdict fine">
    <h3>The wallet is as its owners signed for it</h3>
    <p>It was inspected just now, at block {binding.state?.evidence.blockNumber}.</p>
  </section>
)

const Changed = ({ binding }: { binding: Binding }) => (
  <section class="verdict bad" role="alert">
    <h3>The wallet changed: nothing is prepared for it or sent by it</h3>
    {binding.failedCheck === undefined ? (
      <p>
        It is in another state than its owners signed for. Below is what it is now; where that is right, have
        its owners bind it anew.
      </p>
    ) : (
      <p>
        It fails the check <code>{binding.failedCheck}</code>, so it can be neither bound nor used.
      </p>
    )}
    {binding.failedCheck === undefined ? (
      <a href={bindPath({ manifestId: binding.manifestId, address: binding.wallet.address })}>Bind it anew</a>
    ) : undefined}
  </section>
)

const boundRows = ({ id, ownerAccountId, stateHash, authorization }: Binding): ReadonlyArray<ReviewRow> => [
  row("account", exact(ownerAccountId)),
  row("bound state", exact(stateHash)),
  row("signed digest", exact(authorization.digest)),
  row("binding", exact(id))
]

const UNLINK_MEANS =
  "From then on the service prepares nothing more for the wallet and sends nothing by it. What was sent already goes on, and what its owners can do onchain is not changed: signatures that were given stay valid until they end. To bind it again, its owners sign again."

const Unlink = ({ binding, seat, gone }: { binding: Binding; seat: Seat; gone: (told: string) => void }) => {
  const [isAsked, ask] = useState(false)
  const { desk, run } = seat
  const unlink = () =>
    run("Waiting for the wallet…", async () => {
      const about = [row("wallet", exact(binding.wallet.address)), row("means", words(UNLINK_MEANS))]
      const { liveSession } = await desk.about(about, ({ owner }) => owner.smartAccounts.unlink(binding.id))
      gone(
        liveSession
          ? "Unlinked. A session of it may go on onchain until it is over or its owners revoke it: service session revoke --bare needs the chain alone."
          : "Unlinked."
      )
    })
  return (
    <section class={isAsked ? "notice" : "plan"}>
      <h2>Unlink the wallet</h2>
      {isAsked ? <p role="alert">{UNLINK_MEANS}</p> : undefined}
      <div class="actions">
        {isAsked ? (
          <>
            <button type="button" class="primary" onClick={unlink}>
              Unlink it for good
            </button>
            <button type="button" class="plain" onClick={() => ask(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button type="button" class="plain" onClick={() => ask(true)}>
            Unlink it…
          </button>
        )}
      </div>
    </section>
  )
}

const Doing = ({ binding: { id, status }, seat }: { binding: Binding; seat: Seat }) =>
  status === "linked" ? (
    <div class="actions">
      <a href={`/console/do?wallet=${id}`}>Do something with it</a>
      {"chains" in seat.capabilities.sessions ? (
        <a href={`/console/sessions/new?wallet=${id}`}>Let a bot act for it</a>
      ) : undefined}
    </div>
  ) : null

const headingOf = ({ wallet, state }: Binding, { capabilities }: Seat) => (
  <>
    The wallet <code>{wallet.address}</code> on {chainTitle(capabilities, wallet.chainId)}
    {state === undefined ? "" : `: ${thresholdText(state.threshold, state.owners.length)}`}.
  </>
)

const Whole = ({ binding, seat, read }: { binding: Binding; seat: Seat; read: () => void }) => {
  const [told, setTold] = useState("")
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [binding])
  if (told !== "")
    return (
      <>
        <h2 tabindex={-1} ref={element => element?.focus()}>
          {told}
        </h2>
        <p>
          <a href="/console/wallets">All wallets</a>
        </p>
      </>
    )
  const { state } = binding
  return (
    <>
      <h2 class="first sentence" tabindex={-1} ref={place}>
        {headingOf(binding, seat)}
      </h2>
      {binding.status === "linked" ? <Linked binding={binding} /> : <Changed binding={binding} />}
      <Doing binding={binding} seat={seat} />
      {state === undefined ? undefined : <Rows rows={ownerRows(state)} />}
      <details class="folded">
        <summary>Every row of the wallet</summary>
        <Rows rows={[...boundRows(binding), ...(state === undefined ? [] : stateRows(state))]} />
      </details>
      <div class="actions">
        <button type="button" class="plain" onClick={read}>
          Inspect it again
        </button>
      </div>
      <Unlink binding={binding} seat={seat} gone={setTold} />
    </>
  )
}

export const WalletPage = ({ seat, path }: PageProps) => {
  const [binding, setBinding] = useState<Binding>()
  const id = path.split("/").at(-1) ?? ""
  const read = () =>
    seat.run("Inspecting the wallet…", async () => setBinding(await seat.desk.client.smartAccounts.show(id)))
  useEffect(read, [path])
  return binding === undefined ? (
    <button type="button" class="primary" onClick={read}>
      Read the wallet
    </button>
  ) : (
    <Whole binding={binding} seat={seat} read={read} />
  )
}
