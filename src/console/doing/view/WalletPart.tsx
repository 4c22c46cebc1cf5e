/** For which wallet the plan is: the owner's own, or one of several owners that is bound to the account. */
import { useEffect, useState } from "preact/hooks"
import type { Client } from "../../../client/Client.ts"
import { chainTitle } from "../../../review/ChainName.ts"
import type { Seat } from "../../app/Seat.ts"

export type BoundChoice = Awaited<ReturnType<Client["smartAccounts"]["list"]>>["items"][number]

interface WalletPartProps {
  readonly seat: Seat
  readonly chosen: BoundChoice | undefined
  readonly choose: (wallet: BoundChoice | undefined) => void
  /** The binding that a link names. */
  readonly named: string | null
}

const MOST = 100

const useBound = ({ seat, choose, named }: WalletPartProps) => {
  const [bound, setBound] = useState<ReadonlyArray<BoundChoice>>()
  const { desk, run } = seat
  const read = () =>
    run("Reading your wallets…", async () => {
      const { items } = await desk.client.smartAccounts.list({ limit: MOST })
      setBound(items)
      choose(items.find(({ id }) => id === named))
    })
  const isKnown = "manifests" in seat.capabilities.smartAccounts
  useEffect(() => {
    if (isKnown && (desk.grant !== undefined || named !== null)) read()
  }, [])
  return { bound: isKnown ? bound : [], read }
}

const short = (address: string): string => `${address.slice(0, 10)}…${address.slice(-8)}`

export const WalletPart = (props: WalletPartProps) => {
  const { bound, read } = useBound(props)
  const { seat, chosen, choose } = props
  if (bound === undefined)
    return (
      <p>
        For your own wallet.{" "}
        <button type="button" class="link" onClick={read}>
          Choose a wallet of several owners
        </button>
      </p>
    )
  if (bound.length === 0) return null
  return (
    <div class="field">
      <label for="for-wallet">For which wallet</label>
      <select
        id="for-wallet"
        value={chosen?.id ?? ""}
        onChange={({ currentTarget }) => choose(bound.find(({ id }) => id === currentTarget.value))}
      >
        <option value="">{`Your own, ${short(seat.desk.wallet)}`}</option>
        {bound.map(({ id, wallet }) => (
          <option key={id} value={id}>
            {`${short(wallet.address)} of several owners, on ${chainTitle(seat.capabilities, wallet.chainId)}`}
          </option>
        ))}
      </select>
    </div>
  )
}
