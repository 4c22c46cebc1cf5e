/** How much of which asset a session may spend, whatever right spends it. */
import { visible } from "../../values/UntrustedText.ts"
import { SelectField } from "../app/SelectField.tsx"
import { TextField } from "../app/TextField.tsx"
import { type Editing, replaced } from "./EditorParts.ts"
import { type DraftLimit, MOST_RIGHTS, newLimit, withoutLimit } from "./SessionDraft.ts"

const LONGEST_SYMBOL = 16

export const symbolText = ({ symbol }: { readonly symbol: string }): string =>
  visible(symbol, LONGEST_SYMBOL).text

const shortly = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`

const assetOptions = ({ reviewed }: Editing["manifest"]) =>
  reviewed.assets.map(asset => [asset.address, `${symbolText(asset)} (${shortly(asset.address)})`] as const)

const Limit = ({ editing, at, limit }: { editing: Editing; at: number; limit: DraftLimit }) => {
  const { draft, change, faults, manifest } = editing
  const field = (member: string) => `limit-${at}-${member}`
  const set = (over: Partial<DraftLimit>) => change({ limits: replaced(draft.limits, at, over) })
  return (
    <fieldset>
      <legend>Limit {at + 1}</legend>
      <div class="fields">
        <TextField
          id={field("name")}
          label={`Name of limit ${at + 1}`}
          value={limit.name}
          fault={faults[field("name")] ?? ""}
          change={name => set({ name: name.trim() })}
        />
        <SelectField
          id={field("asset")}
          label={`Asset of limit ${at + 1}`}
          value={limit.asset}
          options={assetOptions(manifest)}
          fault={faults[field("asset")] ?? ""}
          change={asset => set({ asset })}
        />
        <TextField
          id={field("amount")}
          label={`Most of limit ${at + 1}, in all`}
          value={limit.amount}
          fault={faults[field("amount")] ?? ""}
          change={amount => set({ amount: amount.trim() })}
        />
      </div>
      <button type="button" class="plain" onClick={() => change(withoutLimit(draft, at))}>
        Remove limit {at + 1}
      </button>
    </fieldset>
  )
}

export const Limits = (editing: Editing) => {
  const { draft, change, manifest } = editing
  const { limits } = draft
  const mayAdd = limits.length < Math.min(MOST_RIGHTS, manifest.reviewed.assets.length)
  return (
    <section>
      <h2>What it may spend</h2>
      <p>
        Each limit counts one asset, over all the rights that name it, for the whole time. The assets are
        those that the service's operator reviewed for this kind of wallet.
      </p>
      {limits.map((limit, at) => (
        <Limit key={at} editing={editing} at={at} limit={limit} />
      ))}
      {mayAdd ? (
        <button
          type="button"
          class="plain"
          onClick={() => change({ limits: [...limits, newLimit(manifest, limits.length)] })}
        >
          Add a limit
        </button>
      ) : undefined}
    </section>
  )
}
