/** Who gets which part: each by the name that is known of them. */
import { formatUnits, zeroAddress } from "viem"
import type { ProjectView } from "../../../projects/ProjectSchemas.ts"
import { exact, type Piece, quoted, type ReviewRow, row, words } from "../../../review/Words.ts"
import { instantAnd } from "./Instants.ts"
import { unknownPieces } from "./Unknowns.ts"

type SplitsRead = ProjectView["reservedTokenSplits"]
type Split = Extract<SplitsRead, { readonly status: "known" }>["value"][number]

export interface Acquaintance {
  /** The one at the page. */
  readonly wallet: string
  readonly owner: string | undefined
  /** By decimal id, as projects of this chain call themselves. */
  readonly projects: ReadonlyMap<string, string>
  /** By lower-case address, as the index has tokens call themselves. */
  readonly symbols: ReadonlyMap<string, string>
  readonly nowMillis: number
}

const LONGEST_NAME = 60
/** Parts of a billion, as percent. */
const PERCENT_DECIMALS = 7
const ALL = 1_000_000_000n

const percent = (parts: bigint): string => `${formatUnits(parts, PERCENT_DECIMALS)} %`

const same = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase()

export const namedAddress = (address: string, { wallet, owner }: Acquaintance): ReadonlyArray<Piece> => {
  if (same(address, wallet)) return [words("your wallet "), exact(address)]
  return same(address, owner) ? [words("the owner "), exact(address)] : [exact(address)]
}

const namedProject = (projectId: string, projects: ReadonlyMap<string, string>): ReadonlyArray<Piece> => {
  const name = projects.get(projectId)
  return [
    words(`project ${projectId}`),
    ...(name === undefined ? [] : [words(" "), quoted(name, LONGEST_NAME)])
  ]
}

const receiverOf = (split: Split, known: Acquaintance): ReadonlyArray<Piece> => {
  const { hook, projectId, beneficiary, preferAddToBalance } = split
  const isNobody = beneficiary === zeroAddress
  if (hook !== zeroAddress) return [words("the hook "), exact(hook)]
  if (projectId === "0") return isNobody ? [words("whoever sends it")] : namedAddress(beneficiary, known)
  const to = namedProject(projectId, known.projects)
  if (preferAddToBalance) return [...to, words(", added to its balance")]
  return isNobody ? to : [...to, words(", its tokens to "), ...namedAddress(beneficiary, known)]
}

const lockOf = ({ lockedUntil }: Split, { nowMillis }: Acquaintance): ReadonlyArray<Piece> =>
  Number(lockedUntil) * 1000 > nowMillis
    ? [words(`; locked until ${instantAnd(lockedUntil, nowMillis)}`)]
    : []

/** The parts, and what is left of the whole for the owner. */
export const splitRows = (title: string, splits: SplitsRead, known: Acquaintance): ReviewRow => {
  if (splits.status === "unknown") return row(title, ...unknownPieces(splits))
  const rows = splits.value.map(split =>
    row(percent(BigInt(split.percent)), ...receiverOf(split, known), ...lockOf(split, known))
  )
  const left = splits.value.reduce((rest, split) => rest - BigInt(split.percent), ALL)
  const rest = left > 0n ? [row(percent(left), words("the rest, to the owner"))] : []
  if (rows.length === 0) return row(title, words("all to the owner"))
  return { ...row(title), rows: [...rows, ...rest] }
}
