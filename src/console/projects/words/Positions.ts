/** How much of a project's tokens a wallet holds, and as what. */
import type { EntityRow } from "../../../indexer/Entities.ts"
import { type Piece, words } from "../../../review/Words.ts"
import { supplyShareText, tokenCount } from "./Assets.ts"

const INTEGER = /^[0-9]{1,78}$/

const integer = (text: string | undefined): bigint | undefined =>
  text !== undefined && INTEGER.test(text) ? BigInt(text) : undefined

const sharePieces = ({ balance, project }: EntityRow<"participant">): ReadonlyArray<Piece> => {
  const [held, supply] = [integer(balance), integer(project?.tokenSupply)]
  const share = held === undefined || supply === undefined ? undefined : supplyShareText(held, supply)
  return [
    words(
      share === undefined ? "; what share that is, is not known" : `, ${share} of the supply on its chain`
    )
  ]
}

const kindText = ({ creditBalance, erc20Balance }: EntityRow<"participant">): string => {
  if (erc20Balance === "0") return " as credits"
  return creditBalance === "0" ? " as ERC-20 tokens" : " as credits and ERC-20 tokens"
}

export const positionPieces = (position: EntityRow<"participant">): ReadonlyArray<Piece> => [
  ...tokenCount(position.balance ?? ""),
  words(kindText(position)),
  ...sharePieces(position)
]
