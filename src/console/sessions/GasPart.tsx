/** What the operations of a session may use and cost, and who pays; what is left empty follows from the rest. */
import { formatUnits } from "viem"
import { SelectField } from "../app/SelectField.tsx"
import { TextField } from "../app/TextField.tsx"
import { unitsOf } from "../doing/fields/Exactly.ts"
import type { Editing } from "./EditorParts.ts"
import type { DraftGas } from "./SessionDraft.ts"

const GWEI_DECIMALS = 9
const ETHER_DECIMALS = 18

const integer = (text: string, decimals = 0): bigint => BigInt(unitsOf(text, decimals) ?? 0)

const grouped = (amount: bigint): string => String(amount).replace(/\B(?=(?:\d{3})+$)/g, ",")

/** What follows from the calls and the ceilings of one. */
const following = ({ draft: { calls, gas } }: Editing) => {
  const total = gas.total === "" ? integer(gas.perOperation) * integer(calls) : integer(gas.total)
  return { total, cost: total * integer(gas.price, GWEI_DECIMALS) }
}

interface Amount {
  readonly id: string
  readonly key: Exclude<keyof DraftGas, "paymaster">
  readonly label: string
  readonly about: string
}

const amountsOf = (editing: Editing, priceAbout: string): ReadonlyArray<Amount> => {
  const { total, cost } = following(editing)
  return [
    {
      id: "gas-operation",
      key: "perOperation",
      label: "Most gas of one operation",
      about:
        "A payment takes 0.5 to 1 million with its checks; what is not used is not paid for, yet counted."
    },
    { id: "gas-price", key: "price", label: "Highest price of gas, in gwei", about: priceAbout },
    {
      id: "gas-tip",
      key: "tip",
      label: "Highest tip, in gwei",
      about: "What of the price goes to who builds the block. Empty: up to all of it."
    },
    {
      id: "gas-total",
      key: "total",
      label: "Most gas in all",
      about: `Empty: as much as all its calls may use, ${grouped(total)}.`
    },
    {
      id: "gas-cost",
      key: "cost",
      label: "Highest cost in all, in ether",
      about: `Empty: that gas at the highest price, ${formatUnits(cost, ETHER_DECIMALS)} ether.`
    }
  ]
}

const Payer = ({ draft: { gas }, change, faults, manifest }: Editing) => {
  const payers = manifest.pins.paymasters.map(({ address }) => [address, `The paymaster ${address}`] as const)
  return (
    <>
      <SelectField
        id="payer"
        label="Who pays for gas"
        value={gas.paymaster}
        options={[["", "The wallet itself"], ...payers]}
        about="A paymaster pays instead of the wallet and nothing else; the policy names it with its code."
        change={paymaster => change({ gas: { ...gas, paymaster } })}
      />
      {gas.paymaster === "" ? undefined : (
        <TextField
          id="gas-data"
          label="Bytes that the paymaster is told"
          about="Exactly as many each time. 77 are two times of 6 and a signature of 65, as many paymasters take it."
          isNumber
          value={gas.dataLength}
          fault={faults["gas-data"] ?? ""}
          change={text => change({ gas: { ...gas, dataLength: text.trim() } })}
        />
      )}
    </>
  )
}

export const GasPart = ({ editing, priceAbout }: { editing: Editing; priceAbout: string }) => {
  const { draft, change, faults } = editing
  const { gas } = draft
  return (
    <section>
      <h2>What its gas may cost</h2>
      <p>
        The guard counts what each operation could use at most, before it runs and also where its call fails.
        Whoever pays never pays more than what was used.
      </p>
      <div class="fields">
        <Payer {...editing} />
        {amountsOf(editing, priceAbout).map(({ id, key, label, about }) => (
          <TextField
            key={id}
            id={id}
            label={label}
            about={about}
            value={gas[key]}
            fault={faults[id] ?? ""}
            change={text => change({ gas: { ...gas, [key]: text.trim() } })}
          />
        ))}
      </div>
    </section>
  )
}
