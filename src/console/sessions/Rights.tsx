/** Which calls a session's key may make, each of a kind whose bytes the guard checks word by word. */
import { useState } from "preact/hooks"
import { SelectField } from "../app/SelectField.tsx"
import { TextField } from "../app/TextField.tsx"
import { type Editing, replaced, without } from "./EditorParts.ts"
import { symbolText } from "./Limits.tsx"
import {
  type ActionKind,
  type DraftRight,
  kindsOf,
  MOST_RIGHTS,
  newRight,
  targetsOf
} from "./SessionDraft.ts"

const KINDS: Readonly<Record<ActionKind, string>> = {
  "v6-pay": "Pay a project",
  "erc20-transfer": "Send a token to one address",
  "v6-project-uri": "Set a project's metadata URI"
}

interface OfRight {
  readonly editing: Editing
  readonly at: number
  readonly right: DraftRight
  readonly set: (over: Partial<DraftRight>) => void
}

const fieldOf = ({ editing, at }: OfRight) => ({
  id: (member: string) => `right-${at}-${member}`,
  fault: (member: string) => editing.faults[`right-${at}-${member}`] ?? ""
})

const Target = (of: OfRight) => {
  const { editing, at, right, set } = of
  const { id, fault } = fieldOf(of)
  const [kind, label] =
    right.kind === "v6-pay"
      ? (["v6-terminal", "Terminal"] as const)
      : (["v6-controller", "Controller"] as const)
  const member = right.kind === "v6-pay" ? "terminal" : "controller"
  return (
    <>
      <SelectField
        id={id("target")}
        label={`${label} of right ${at + 1}`}
        value={right[member]}
        options={targetsOf(editing.manifest, kind).map(({ address, reviewId }) => [
          address,
          `${address} (${reviewId})`
        ])}
        change={target => set({ [member]: target })}
      />
      <TextField
        id={id("project")}
        label={`Project number of right ${at + 1}`}
        isNumber
        value={right.projectId}
        fault={fault("project")}
        change={projectId => set({ projectId: projectId.trim() })}
      />
    </>
  )
}

const NO_LIMIT = ["", "none yet"] as const

const limitOptions = ({ draft, manifest }: Editing, { limit }: DraftRight) => [
  ...(limit === "" || draft.limits.length === 0 ? [NO_LIMIT] : []),
  ...draft.limits.map(({ name, asset, amount }, index) => {
    const known = manifest.reviewed.assets.find(({ address }) => address === asset)
    return [String(index), `${name}: ${amount} ${known === undefined ? "" : symbolText(known)}`] as const
  })
]

const symbolIn = ({ draft, manifest }: Editing, { limit }: DraftRight): string => {
  const asset = limit === "" ? undefined : draft.limits[Number(limit)]?.asset
  const known = manifest.reviewed.assets.find(({ address }) => address === asset)
  return known === undefined ? "" : `, in ${symbolText(known)}`
}

const Amounts = (of: OfRight) => {
  const { editing, at, right, set } = of
  const { id, fault } = fieldOf(of)
  const unit = symbolIn(editing, right)
  const amounts = [
    ["per-call", "perCall", `Most a call of right ${at + 1}${unit}`],
    ["total", "total", `Most in all of right ${at + 1}${unit}`]
  ] as const
  return (
    <>
      {amounts.map(([member, key, label]) => (
        <TextField
          key={member}
          id={id(member)}
          label={label}
          value={right[key]}
          fault={fault(member)}
          change={text => set({ [key]: text.trim() })}
        />
      ))}
    </>
  )
}

const Least = (of: OfRight) => {
  const { at, right, set } = of
  const { id, fault } = fieldOf(of)
  return (
    <TextField
      id={id("least")}
      label={`Fewest tokens that a payment of right ${at + 1} returns`}
      about="A payment that would return fewer fails. 0 takes whatever comes."
      value={right.least}
      fault={fault("least")}
      change={least => set({ least: least.trim() })}
    />
  )
}

const Spending = (of: OfRight) => {
  const { editing, at, right, set } = of
  const { id, fault } = fieldOf(of)
  const isPayment = right.kind === "v6-pay"
  return (
    <>
      <SelectField
        id={id("limit")}
        label={`Limit that counts right ${at + 1}`}
        value={right.limit}
        options={limitOptions(editing, right)}
        fault={fault("limit")}
        change={limit => set({ limit })}
      />
      <Amounts {...of} />
      <TextField
        id={id("beneficiary")}
        label={`Beneficiary of right ${at + 1}`}
        about={
          isPayment ? "Who gets the project's tokens, and nobody else." : "Who receives it, and nobody else."
        }
        value={right.beneficiary}
        fault={fault("beneficiary")}
        change={beneficiary => set({ beneficiary: beneficiary.trim() })}
      />
      {isPayment ? <Least {...of} /> : undefined}
    </>
  )
}

const Right = (of: OfRight) => {
  const { editing, at, right, set } = of
  const { draft, change, manifest } = editing
  const { id, fault } = fieldOf(of)
  return (
    <fieldset>
      <legend>Right {at + 1}</legend>
      <div class="fields">
        <SelectField
          id={id("kind")}
          label={`What right ${at + 1} is`}
          value={right.kind}
          options={kindsOf(manifest).map(kind => [kind, KINDS[kind]])}
          fault={fault("kind")}
          change={text => set({ kind: kindsOf(manifest).find(kind => kind === text) ?? right.kind })}
        />
        {right.kind === "erc20-transfer" ? undefined : <Target {...of} />}
        {right.kind === "v6-project-uri" ? undefined : <Spending {...of} />}
      </div>
      <button type="button" class="plain" onClick={() => change({ rights: without(draft.rights, at) })}>
        Remove right {at + 1}
      </button>
    </fieldset>
  )
}

const AddRight = ({ editing, beneficiary }: { editing: Editing; beneficiary: string }) => {
  const { draft, change, faults, manifest } = editing
  const kinds = kindsOf(manifest)
  const [kind, choose] = useState<ActionKind | undefined>(kinds[1] ?? kinds[0])
  if (kind === undefined || draft.rights.length >= MOST_RIGHTS) return null
  const add = () => change({ rights: [...draft.rights, newRight(manifest, kind, beneficiary)] })
  return (
    <>
      <SelectField
        id="add-right"
        label="Another right"
        value={kind}
        options={kinds.map(each => [each, KINDS[each]])}
        fault={faults["add-right"] ?? ""}
        change={text => choose(kinds.find(each => each === text))}
      />
      <button type="button" class="plain" onClick={add}>
        Add the right
      </button>
    </>
  )
}

export const RightsPart = ({ editing, beneficiary }: { editing: Editing; beneficiary: string }) => {
  const { draft, change } = editing
  return (
    <section>
      <h2>What it may do</h2>
      <p>
        Each right is one function of one reviewed contract with its words fixed; every other call is refused
        by the guard.
      </p>
      {draft.rights.map((right, at) => (
        <Right
          key={at}
          editing={editing}
          at={at}
          right={right}
          set={over => change({ rights: replaced(draft.rights, at, over) })}
        />
      ))}
      <AddRight editing={editing} beneficiary={beneficiary} />
    </section>
  )
}
