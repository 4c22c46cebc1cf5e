/** What a simulation found, in words. */
import type { AssetChange, AssetChanges, Simulation } from "../plans/Simulation.ts"
import { printable } from "../values/UntrustedText.ts"
import { nativeAmount } from "./Amounts.ts"
import { exact, type Piece, type ReviewRow, row, untrusted, words } from "./Words.ts"

const movedPieces = (change: AssetChange): ReadonlyArray<Piece> => {
  if (change.kind === "native") return nativeAmount(change.amount)
  return change.kind === "erc20"
    ? [exact(change.amount), words(" in the smallest unit of token "), exact(change.token)]
    : [words("item "), exact(change.tokenId), words(" of "), exact(change.token)]
}

const changeRows = (assets: AssetChanges): ReadonlyArray<ReviewRow> =>
  assets.status === "known"
    ? assets.changes.map(change =>
        row(
          "moves",
          ...movedPieces(change),
          words(" from "),
          exact(change.from),
          words(" to "),
          exact(change.to)
        )
      )
    : [row("moves", words("unknown: "), untrusted(assets.reason))]

export const simulationRows = (simulation: Simulation): ReadonlyArray<ReviewRow> => [
  row(
    "succeeds at",
    words(`chain ${Number(simulation.chainId)} block `),
    exact(simulation.blockNumber),
    words(" "),
    exact(simulation.blockHash)
  ),
  row("returns", untrusted(simulation.result)),
  row("estimated gas", exact(simulation.estimatedGas)),
  ...changeRows(simulation.assetChanges),
  ...simulation.limitations.map(limitation => row("limitation", words(printable(limitation))))
]
