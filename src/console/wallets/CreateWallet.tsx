/** A new wallet of several owners: its address before anything is signed, and the plan of the one call that creates it. */
import { useEffect, useRef, useState } from "preact/hooks"
import { addressOf } from "../../client/SignRequest.ts"
import { ownerRows, thresholdText } from "../../review/BindingRows.ts"
import { chainNames } from "../../review/ChainName.ts"
import { pagePath } from "../../review/PagePath.ts"
import { exact, row, words } from "../../review/Words.ts"
import type { WalletCreation } from "../../smartaccounts/SmartAccount.ts"
import { Rows } from "../app/Rows.tsx"
import type { PageProps, Seat } from "../app/Seat.ts"
import { TextField } from "../app/TextField.tsx"
import { keepCreated } from "./Created.ts"
import type { OfferedWallet } from "./WalletWords.ts"

const MOST_OWNERS = 16
const FACTORY = "@safe-global/safe-contracts:contracts/proxies/SafeProxyFactory.sol:SafeProxyFactory"
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

interface Wanted {
  readonly manifestId: string
  readonly owners: string
  readonly threshold: string
  readonly saltNonce: string
}

type Faults = Readonly<Partial<Record<"owners" | "threshold" | "salt", string>>>

const linesOf = (owners: string): ReadonlyArray<string> => owners.split(/[\s,;]+/).filter(each => each !== "")

const faultsIn = ({ owners, threshold, saltNonce }: Wanted): Faults => {
  const lines = linesOf(owners)
  const wrong = lines.find(each => !ADDRESS.test(each))
  if (wrong !== undefined) return { owners: `${wrong} is no address.` }
  if (lines.length === 0 || lines.length > MOST_OWNERS) return { owners: `One to ${MOST_OWNERS} addresses.` }
  if (new Set(lines.map(each => each.toLowerCase())).size < lines.length)
    return { owners: "An owner stands there twice." }
  if (!/^[1-9][0-9]?$/.test(threshold) || Number(threshold) > lines.length)
    return { threshold: `A whole number from 1 to ${lines.length}.` }
  return /^(?:0|[1-9][0-9]{0,76})$/.test(saltNonce) ? {} : { salt: "A whole number." }
}

interface Filling {
  readonly seat: Seat
  readonly deployments: ReadonlyArray<OfferedWallet>
  readonly wanted: Wanted
  readonly change: (over: Partial<Wanted>) => void
  readonly faults: Faults
}

const Numbers = ({ wanted, change, faults }: Pick<Filling, "wanted" | "change" | "faults">) => (
  <div class="fields">
    <TextField
      id="threshold"
      label="How many of them sign"
      isNumber
      value={wanted.threshold}
      fault={faults.threshold ?? ""}
      change={text => change({ threshold: text.trim() })}
    />
    <TextField
      id="salt"
      label="Salt"
      about="The same owners have another wallet for each number."
      isNumber
      value={wanted.saltNonce}
      fault={faults.salt ?? ""}
      change={text => change({ saltNonce: text.trim() })}
    />
  </div>
)

const Fields = ({ seat, deployments, wanted, change, faults }: Filling) => (
  <>
    <div class="field">
      <label for="manifest">Kind of wallet</label>
      <select
        id="manifest"
        value={wanted.manifestId}
        onChange={({ currentTarget }) => change({ manifestId: currentTarget.value })}
      >
        {deployments.map(({ manifestId, chainId }) => (
          <option key={manifestId} value={manifestId}>
            {`${chainNames(seat.capabilities).get(chainId) ?? chainId}: ${manifestId}`}
          </option>
        ))}
      </select>
    </div>
    <TextField
      id="owners"
      label="Owners"
      about="One address a line. Each is a wallet with a key of its own."
      rows={4}
      value={wanted.owners}
      fault={faults.owners ?? ""}
      change={owners => change({ owners })}
    />
    <Numbers wanted={wanted} change={change} faults={faults} />
  </>
)

const othersRow = ({ initialAuthority: { validators } }: WalletCreation) =>
  row(
    "may act besides the owners",
    words("nobody"),
    ...validators.flatMap(guard => [
      words("; under sessions that they enable, keys that the guard "),
      exact(guard),
      words(" holds to their limits")
    ])
  )

const creationRows = (creation: WalletCreation) => [
  row("address", exact(creation.address), words(` on chain ${creation.chainId}`)),
  ...ownerRows(creation),
  row("created by", exact(creation.transaction.to)),
  othersRow(creation)
]

/** The plan of the creation's own call, and no other. */
const planned = async ({ desk, go }: Seat, creation: WalletCreation, singleton: string): Promise<void> => {
  const { owner, wallet } = desk
  const { chainId, initializer, saltNonce, transaction, address, manifestId } = creation
  const args = [singleton, initializer, saltNonce]
  const call = { chainId, contractId: FACTORY, function: "createProxyWithNonce(address,bytes,uint256)", args }
  const { plan } = await desk.about([row("creates", exact(address))], ({ client }) =>
    client.plans.create({ account: wallet, calls: [call] })
  )
  const [only] = plan.calls
  if (only?.data !== transaction.data || only.to !== transaction.to)
    throw new Error("the plan has another call than the creation of the wallet")
  keepCreated(owner.account, { manifestId, chainId, address })
  go(pagePath(plan.id, owner.account, desk.client.principalId))
}

const Creation = ({
  seat,
  creation,
  singleton
}: {
  seat: Seat
  creation: WalletCreation
  singleton: string
}) => {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [creation])
  const { owners, threshold, address } = creation
  return (
    <section class="plan">
      <h2 class="sentence" tabindex={-1} ref={place}>
        You create a wallet at <code>{address}</code>, for which {thresholdText(threshold, owners.length)}.
      </h2>
      <p>
        Computed anew in this browser: the call sets exactly these owners up and no other power. The address
        can be sent funds before and after.
      </p>
      <Rows rows={creationRows(creation)} />
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => seat.run("Preparing the plan…", () => planned(seat, creation, singleton))}
        >
          Prepare the plan that creates it
        </button>
      </div>
    </section>
  )
}

const useDeployments = ({ desk, run }: Seat) => {
  const [deployments, setDeployments] = useState<ReadonlyArray<OfferedWallet>>()
  const read = () =>
    run("Reading the kinds of wallets…", async () => {
      setDeployments((await desk.client.smartAccounts.capabilities()).deployments)
    })
  useEffect(read, [])
  return { deployments, read }
}

const Form = ({ seat, deployments }: Pick<Filling, "seat" | "deployments">) => {
  const [first] = deployments
  const [wanted, setWanted] = useState<Wanted>({
    manifestId: first?.manifestId ?? "",
    owners: `${seat.desk.wallet}\n`,
    threshold: "1",
    saltNonce: "0"
  })
  const [faults, setFaults] = useState<Faults>({})
  const [creation, setCreation] = useState<WalletCreation>()
  const latest = useRef(wanted)
  const change = (over: Partial<Wanted>) => {
    latest.current = { ...wanted, ...over }
    setWanted(latest.current)
    setCreation(undefined)
  }
  const prepare = (event: Event) => {
    event.preventDefault()
    const found = faultsIn(wanted)
    setFaults(found)
    const [wrong] = Object.keys(found)
    if (wrong !== undefined) return document.getElementById(wrong)?.focus()
    const { manifestId, saltNonce } = wanted
    const owners = linesOf(wanted.owners).map(addressOf)
    const asked = { manifestId, owners, threshold: Number(wanted.threshold), saltNonce }
    seat.run("Computing the wallet…", async () => {
      const computed = await seat.desk.owner.smartAccounts.planCreation(asked)
      if (latest.current === wanted) setCreation(computed)
    })
  }
  const pins = deployments.find(({ manifestId }) => manifestId === creation?.manifestId)?.manifest.pins
  return (
    <>
      <form onSubmit={prepare} noValidate>
        <Fields seat={seat} deployments={deployments} wanted={wanted} change={change} faults={faults} />
        <div class="actions">
          <button type="submit" class={creation === undefined ? "primary" : "plain"}>
            Compute the wallet
          </button>
        </div>
      </form>
      {creation === undefined || pins === undefined ? undefined : (
        <Creation seat={seat} creation={creation} singleton={pins.singleton.address} />
      )}
    </>
  )
}

export const CreateWallet = ({ seat }: PageProps) => {
  const { deployments, read } = useDeployments(seat)
  return deployments === undefined ? (
    <button type="button" class="primary" onClick={read}>
      Read the kinds of wallets
    </button>
  ) : (
    <Form seat={seat} deployments={deployments} />
  )
}
