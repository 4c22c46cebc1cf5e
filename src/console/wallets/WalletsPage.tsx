/** The wallets that are bound to the account, and of what wallets the deployment knows. */
import { useEffect, useState } from "preact/hooks"
import type { Client } from "../../client/Client.ts"
import { chainTitle } from "../../review/ChainName.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { type CreatedWallet, forgetCreated, recallCreated } from "./Created.ts"
import { deploymentText, type OfferedWallet } from "./WalletWords.ts"

type Bindings = Awaited<ReturnType<Client["smartAccounts"]["list"]>>
type Binding = Bindings["items"][number]

interface Read {
  readonly bindings: ReadonlyArray<Binding>
  readonly cursor: string | null
  readonly deployments: ReadonlyArray<OfferedWallet>
}

const LIMIT = 25

const useWallets = ({ desk, run }: Seat) => {
  const [found, setFound] = useState<Read>()
  const read = () =>
    run("Reading the wallets…", async () => {
      const { smartAccounts } = desk.client
      const { deployments } = await smartAccounts.capabilities()
      const { items, nextCursor } = await smartAccounts.list({ limit: LIMIT })
      setFound({ bindings: items, cursor: nextCursor, deployments })
    })
  const more = (before: Read, cursor: string) =>
    run("Reading more…", async () => {
      const { items, nextCursor } = await desk.client.smartAccounts.list({ limit: LIMIT, cursor })
      setFound({ ...before, bindings: [...before.bindings, ...items], cursor: nextCursor })
    })
  useEffect(() => {
    if (desk.grant !== undefined) read()
  }, [])
  return { found, read, more }
}

const Wallet = ({ binding: { id, wallet, status }, seat }: { binding: Binding; seat: Seat }) => (
  <li class="item">
    <p>
      <a href={`/console/wallets/${id}`}>
        <code>{wallet.address}</code>
      </a>{" "}
      <span class={`state ${status === "linked" ? "confirmed" : "unknown"}`}>{status}</span>
    </p>
    <p class="muted">on {chainTitle(seat.capabilities, wallet.chainId)}</p>
  </li>
)

export const bindPath = ({ manifestId, address }: Pick<CreatedWallet, "manifestId" | "address">): string =>
  `/console/wallets/bind?manifest=${encodeURIComponent(manifestId)}&address=${address}`

const Begun = ({ seat, bindings }: { seat: Seat; bindings: ReadonlyArray<Binding> }) => {
  const { account } = seat.desk.owner
  const [all, setAll] = useState(() => recallCreated(account))
  const isBound = ({ chainId, address }: CreatedWallet) =>
    bindings.some(({ wallet }) => wallet.chainId === chainId && wallet.address === address)
  const open = all.filter(created => !isBound(created))
  if (open.length === 0) return null
  const forget = (address: string) => () => {
    forgetCreated(account, address)
    setAll(recallCreated(account))
  }
  return (
    <section>
      <h2>Created in this browser, not bound yet</h2>
      <ul class="items">
        {open.map(created => (
          <li class="item" key={created.address}>
            <p>
              <code>{created.address}</code> on {chainTitle(seat.capabilities, created.chainId)}
            </p>
            <div class="actions">
              <a href={bindPath(created)}>Bind it</a>
              <button
                type="button"
                class="plain"
                aria-label={`Forget it: ${created.address}`}
                onClick={forget(created.address)}
              >
                Forget it
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Manifests = ({ deployments, seat }: Pick<Read, "deployments"> & { seat: Seat }) => (
  <section>
    <h2>Wallets that this service knows</h2>
    <ul class="items">
      {deployments.map(each => (
        <li class="item" key={each.manifestId}>
          <p>
            <code>{each.manifestId}</code> on {chainTitle(seat.capabilities, each.chainId)}: Safe{" "}
            {each.manifest.safeVersion}; {deploymentText(each)}.
          </p>
        </li>
      ))}
    </ul>
  </section>
)

export const WalletsPage = ({ seat }: PageProps) => {
  const { found, read, more } = useWallets(seat)
  return (
    <>
      <p>
        A wallet of several owners is a contract: it does what enough of its owners sign. Bound to the
        account, it is planned for like your own wallet, and acts once its owners signed.
      </p>
      <div class="actions">
        <a href="/console/wallets/create">Create a wallet</a>
        <a href="/console/wallets/bind">Bind a wallet that exists</a>
        <button type="button" class={found === undefined ? "primary" : "plain"} onClick={read}>
          {found === undefined ? "Read your wallets" : "Read them again"}
        </button>
      </div>
      {found?.bindings.length === 0 ? <p>No wallet is bound to the account.</p> : undefined}
      <ul class="items">
        {found?.bindings.map(binding => (
          <Wallet key={binding.id} binding={binding} seat={seat} />
        ))}
      </ul>
      {found === undefined || found.cursor === null ? undefined : (
        <button type="button" class="plain" onClick={() => more(found, found.cursor ?? "")}>
          More
        </button>
      )}
      <Begun seat={seat} bindings={found?.bindings ?? []} />
      {found === undefined ? undefined : <Manifests deployments={found.deployments} seat={seat} />}
    </>
  )
}
