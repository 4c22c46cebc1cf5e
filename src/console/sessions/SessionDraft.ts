/** What a person typed of a session, and what it begins with. */
import { NATIVE_ASSET } from "../../sessions/KnownRights.ts"
import type { SessionInput } from "../../sessions/SessionInput.ts"
import type { OfferedWallet } from "../wallets/WalletWords.ts"

export type ActionKind = SessionInput["actions"][number]["kind"]
type Manifest = OfferedWallet["manifest"]

export interface DraftLimit {
  readonly name: string
  readonly asset: string
  readonly amount: string
}

/** Of every kind, so that nothing typed is lost where another kind is tried. */
export interface DraftRight {
  readonly kind: ActionKind
  readonly terminal: string
  readonly controller: string
  readonly projectId: string
  /** By its place. */
  readonly limit: string
  readonly beneficiary: string
  readonly perCall: string
  readonly total: string
  readonly least: string
}

export interface DraftGas {
  /** Empty: the wallet. */
  readonly paymaster: string
  readonly dataLength: string
  readonly perOperation: string
  readonly price: string
  readonly tip: string
  /** Empty: as many as the calls can use. */
  readonly total: string
  readonly cost: string
}

export interface SessionDraft {
  readonly bindingId: string
  readonly grantId: string
  readonly days: "7" | "30"
  readonly startsIn: string
  readonly calls: string
  readonly limits: ReadonlyArray<DraftLimit>
  readonly rights: ReadonlyArray<DraftRight>
  readonly gas: DraftGas
}

export const MOST_RIGHTS = 16

const PAYMASTER_BYTES = "77"
const GAS_PER_OPERATION = "2000000"

/** Which of the reviewed contracts each kind of right calls. */
export const targetsOf = ({ reviewed }: Manifest, kind: "v6-terminal" | "v6-controller") =>
  reviewed.targets.filter(target => target.kind === kind)

/** Tokens are sent by their own contract, which is reviewed too; the native currency has none. */
const tokensOf = ({ reviewed }: Manifest) => reviewed.assets.filter(({ address }) => address !== NATIVE_ASSET)

export const kindsOf = (manifest: Manifest): ReadonlyArray<ActionKind> => [
  ...(targetsOf(manifest, "v6-terminal").length > 0 ? (["v6-pay"] as const) : []),
  ...(tokensOf(manifest).length > 0 ? (["erc20-transfer"] as const) : []),
  ...(targetsOf(manifest, "v6-controller").length > 0 ? (["v6-project-uri"] as const) : [])
]

export const newLimit = (manifest: Manifest, count: number): DraftLimit => ({
  name: count === 0 ? "tips" : `limit-${count + 1}`,
  asset: manifest.reviewed.assets[count]?.address ?? manifest.reviewed.assets[0]?.address ?? NATIVE_ASSET,
  amount: "0.1"
})

/** What it counted is counted by none until the person chooses another. */
export const withoutLimit = ({ limits, rights }: SessionDraft, at: number): Partial<SessionDraft> => ({
  limits: limits.filter((_, index) => index !== at),
  rights: rights.map(right => {
    const counting = right.limit === "" ? -1 : Number(right.limit)
    if (counting === at) return { ...right, limit: "" }
    return counting > at ? { ...right, limit: String(counting - 1) } : right
  })
})

export const newRight = (manifest: Manifest, kind: ActionKind, beneficiary: string): DraftRight => ({
  kind,
  beneficiary,
  terminal: targetsOf(manifest, "v6-terminal")[0]?.address ?? "",
  controller: targetsOf(manifest, "v6-controller")[0]?.address ?? "",
  projectId: "",
  limit: "0",
  perCall: "0.01",
  total: "0.1",
  least: "0"
})

interface Beginning {
  readonly manifest: Manifest
  readonly bindingId: string
  readonly grantId: string
  /** Who pays the account's projects, and so is given what they return. */
  readonly beneficiary: string
  /** In gwei. */
  readonly price: string
}

/** A bot that may pay a project for a week. */
export const newDraft = ({ manifest, bindingId, grantId, beneficiary, price }: Beginning): SessionDraft => {
  const [kind] = kindsOf(manifest)
  return {
    bindingId,
    grantId,
    days: "7",
    startsIn: "0",
    calls: "20",
    limits: kind === undefined || kind === "v6-project-uri" ? [] : [newLimit(manifest, 0)],
    rights: kind === undefined ? [] : [newRight(manifest, kind, beneficiary)],
    gas: {
      paymaster: "",
      dataLength: PAYMASTER_BYTES,
      perOperation: GAS_PER_OPERATION,
      price,
      tip: "",
      total: "",
      cost: ""
    }
  }
}
