/** What a call gives away beyond what its arguments seem to say. */
import { isErc20, LIMITLESS } from "./Amounts.ts"
import { type CallArgument, flatArguments } from "./ArgumentRows.ts"
import { type ExplainedCall, memberNamed } from "./ExplainCall.ts"
import { exact, type ReviewRow, row, toned, words } from "./Words.ts"

const ALLOWING = new Set(["approve", "permit"])

const caution = (name: string, ...value: ReviewRow["value"]): ReviewRow =>
  toned("warning", row(name, ...value))

const allowanceRows = (explained: ExplainedCall): ReadonlyArray<ReviewRow> => {
  if (!isErc20(explained) || !ALLOWING.has(explained.method?.name ?? "")) return []
  const units = flatArguments(explained).find(({ parameter }) => parameter.name === "value")?.value
  return typeof units === "bigint" && units >= LIMITLESS
    ? [caution("allowance", words("without limit: the spender may take all of the token, now and later"))]
    : []
}

const everyItemRows = ({ method, values }: ExplainedCall): ReadonlyArray<ReviewRow> =>
  method?.signature === "setApprovalForAll(address,bool)" && values[1] === true
    ? [caution("allowance", words("the operator may move every item of the collection, now and later"))]
    : []

const isForwarded = ({ parameter, holder }: CallArgument): boolean =>
  parameter.name === "data" &&
  parameter.type === "bytes" &&
  ["to", "gas", "signature"].every(sibling => holder.parameters.some(({ name }) => name === sibling))

const forwardedRows = (explained: ExplainedCall): ReadonlyArray<ReviewRow> =>
  flatArguments(explained)
    .filter(isForwarded)
    .map(({ holder: { parameters, value } }) =>
      caution(
        "forwards",
        words("a call to "),
        exact(memberNamed(value, parameters, "to")),
        words(" in the name of "),
        exact(memberNamed(value, parameters, "from")),
        words(", whose bytes this review does not explain")
      )
    )

export const cautionRows = (explained: ExplainedCall): ReadonlyArray<ReviewRow> => [
  ...allowanceRows(explained),
  ...everyItemRows(explained),
  ...forwardedRows(explained)
]
