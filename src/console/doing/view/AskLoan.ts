/** What a loan is, asked for before it is repaid: in which token, how much, and until when. */
import { addressOf } from "../../../client/SignRequest.ts"
import { amountPieces, isNative, type TokenFacts, tokenKey } from "../../../review/Amounts.ts"
import { readToken } from "../../../review/GatherFacts.ts"
import { instantText } from "../../../review/Times.ts"
import { exact, type Piece, type ReviewRow, row, toned, words } from "../../../review/Words.ts"
import type { Observed } from "../../../values/Observed.ts"
import { printable } from "../../../values/UntrustedText.ts"
import type { Reader } from "../../projects/reading/Listed.ts"
import { loanKey } from "../fields/Surroundings.ts"
import type { Learned } from "./FormState.ts"

interface ToldLoan extends Learned {
  readonly rows: ReadonlyArray<ReviewRow>
}

const factsOf = async (
  { client }: Reader,
  chainId: number,
  address: `0x${string}`
): Promise<ReadonlyMap<string, TokenFacts | undefined>> => {
  if (isNative(address)) return new Map()
  const key = tokenKey(chainId, address)
  return new Map([[key, await readToken(client.contracts, { key, chainId, address, projectId: undefined })]])
}

const told = <A>(value: Observed<A>, tell: (known: A) => ReadonlyArray<Piece>): ReadonlyArray<Piece> =>
  value.status === "known" ? tell(value.value) : [words(`not known: ${printable(value.error.message)}`)]

export const askForLoan = async (reader: Reader, chainId: number, loanId: string): Promise<ToldLoan> => {
  const found = await reader.client.operations.run("get_loan", { chainId, loanId })
  const { amount, collateral, sourceToken } = found.loan
  const address = addressOf(sourceToken)
  const tokens = await factsOf(reader, chainId, address)
  const unit = isNative(address) ? ({ kind: "native" } as const) : ({ kind: "token", address } as const)
  const money = (units: string) => amountPieces(unit, units, chainId, tokens)
  return {
    tokens,
    loans: new Map([[loanKey(chainId, loanId), address]]),
    rows: [
      row("loan", exact(loanId), words(` on chain ${chainId}`)),
      row("owner", ...told(found.owner, owner => [exact(owner)])),
      row("borrowed", ...money(amount)),
      toned("key", row("all of it costs now", ...told(found.fullRepaymentAmount, money))),
      row("collateral", ...amountPieces({ kind: "project" }, collateral, chainId, tokens)),
      row("until", ...told(found.deadline, end => [words(instantText(Number(end) * 1000))]))
    ]
  }
}
