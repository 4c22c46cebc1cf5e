/** How much of a project's tokens a wallet holds, and as what. */
import type { OperationOutput } from "../../../client/Operations.ts"
import type { EntityRow } from "../../../indexer/Entities.ts"
import { type Piece, type ReviewRow, row, words } from "../../../review/Words.ts"
import { supplyShareText, tokenCount } from "./Assets.ts"
import { observedPieces } from "./Unknowns.ts"

const INTEGER = /^[0-9]{1,78}$/

const integer = (text: string | undefined): bigint | undefined =>
  text !== undefined && INTEGER.test(text) ? BigInt(text) : undefined

/** Of all that there are on its chain; undefined where one of the two is not known. */
const sharePieces = (part: string | undefined, whole: string | undefined): ReadonlyArray<Piece> => {
  const [held, supply] = [integer(part), integer(whole)]
  const share = held === undefined || supply === undefined ? undefined : supplyShareText(held, supply)
  return [
    words(
      share === undefined ? "; what share that is, is not known" : `, ${share} of the supply on its chain`
    )
  ]
}

const kindText = ({ creditBalance, erc20Balance }: EntityRow<"participant">): string => {
  if (erc20Balance === "0") return " as credits"
  if (creditBalance === "0") return " as ERC-20 tokens"
  return creditBalance === undefined || erc20Balance === undefined ? "" : " as credits and ERC-20 tokens"
}

export const positionPieces = (position: EntityRow<"participant">): ReadonlyArray<Piece> => [
  ...(position.balance === undefined
    ? [words("a number of tokens that is not known")]
    : tokenCount(position.balance)),
  words(kindText(position)),
  ...sharePieces(position.balance, position.project?.tokenSupply)
]

export type Holding = OperationOutput<"get_position">

/** As the chain tells it; `supply` where that is known. */
export const holdingRows = (held: Holding, supply: string | undefined): ReadonlyArray<ReviewRow> => [
  row(
    "tokens",
    ...observedPieces(held.totalBalance, total => [...tokenCount(total), ...sharePieces(total, supply)])
  ),
  row("as credits", ...observedPieces(held.credits, credits => tokenCount(credits))),
  row(
    "as ERC-20",
    ...observedPieces(held.erc20Balance, balance =>
      balance === null ? [words("the project has no such token")] : tokenCount(balance)
    )
  )
]
