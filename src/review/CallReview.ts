/** One planned call for a person who is about to sign it. */
import { isErc20, nativeAmount, type Tokens } from "./Amounts.ts"
import { argumentRows } from "./ArgumentRows.ts"
import { cautionRows } from "./Cautions.ts"
import { cloneKey, type ExplainedCall, isClone } from "./ExplainCall.ts"
import { isOwnFunction } from "./GuardCalls.ts"
import { recipientRows } from "./Recipients.ts"
import { asSentence, clauseOf } from "./Sentence.ts"
import { exact, nameText, type Piece, type ReviewRow, row, toned, untrusted, words } from "./Words.ts"

export interface CallReview {
  readonly index: number
  /** `Contract.function`, or what stands in its place where the bytes are not explained. */
  readonly title: string
  readonly chain: string
  readonly sentence: ReadonlyArray<Piece>
  readonly rows: ReadonlyArray<ReviewRow>
  readonly arguments: ReadonlyArray<ReviewRow>
  readonly dangers: ReadonlyArray<string>
}

export interface CallContext {
  readonly index: number
  readonly wallet: string
  readonly self: "you" | "it"
  readonly chain: string
  readonly tokens: Tokens
  /** By `tokenKey`: the contracts that calls of this plan go to. */
  readonly names: ReadonlyMap<string, string>
  /** By `cloneKey`: whether the service proved the clone just now; absent where it was not asked. */
  readonly clones: ReadonlyMap<string, boolean>
  /** By `spenderKey`: what the catalog publishes and a call of this plan goes to. */
  readonly spenders: ReadonlySet<string>
}

const APPROVE = "approve(address,uint256)"

export const spenderKey = (chainId: number, address: unknown): string =>
  `${chainId}:${String(address).toLowerCase()}`

/** Whatever the token is, it is asked for nothing but an allowance of a published contract that the plan calls. */
const isApproval = (explained: ExplainedCall, { spenders }: CallContext): boolean => {
  const { call, method, values } = explained
  return (
    isErc20(explained) && method?.signature === APPROVE && spenders.has(spenderKey(call.chainId, values[0]))
  )
}

const contractName = ({ contract, call }: ExplainedCall): string =>
  nameText(contract?.name ?? call.decoded.contractId)

const titleOf = (explained: ExplainedCall): string =>
  explained.method === undefined || explained.values.length !== explained.method.inputs.length
    ? `${contractName(explained)}: BYTES THAT THE CATALOG DOES NOT EXPLAIN`
    : `${contractName(explained)}.${nameText(explained.method.name)}`

const TOKEN = ", a token of its own code: make sure that it is the one you mean"
const UNPROVED = ", which the service cannot prove to be a clone of this contract"
const UNASKED = ", which the catalog does not publish: look it up before you sign"

const cloneRow = (explained: ExplainedCall, context: CallContext): ReviewRow => {
  const { call } = explained
  const proved = context.clones.get(cloneKey(call))
  const address = exact(call.to)
  if (proved === true) return row("to", address, words(", a clone, proved on chain when it was looked up"))
  const doubt = proved === undefined ? UNASKED : UNPROVED
  return toned("warning", row("to", address, words(isApproval(explained, context) ? TOKEN : doubt)))
}

const addressRow = (explained: ExplainedCall, context: CallContext): ReviewRow => {
  const { call, instance, contract } = explained
  if (isClone(explained)) return cloneRow(explained, context)
  const address = exact(call.to)
  if (isOwnFunction(contract) && isItself(explained, context))
    return row("to", address, words(", the wallet itself"))
  if (instance === undefined)
    return toned("warning", row("to", address, words(", which the catalog does not know as this contract")))
  const published = `, published as ${nameText(instance.alias)}${instance.retired ? ", retired" : ""}`
  const known = row("to", address, words(published))
  return instance.retired ? toned("warning", known) : known
}

const isItself = ({ call }: ExplainedCall, { wallet }: CallContext): boolean =>
  call.to.toLowerCase() === wallet.toLowerCase()

const ownDangers = (explained: ExplainedCall, context: CallContext): ReadonlyArray<string> =>
  isOwnFunction(explained.contract) && !isItself(explained, context)
    ? ["the function is one of a wallet's own, and the address is not the planned wallet"]
    : []

const cloneDangers = (explained: ExplainedCall, context: CallContext): ReadonlyArray<string> =>
  isClone(explained) &&
  context.clones.get(cloneKey(explained.call)) === false &&
  !isApproval(explained, context)
    ? ["the service cannot prove that the address is a clone of this contract"]
    : []

const sendsRow = ({ call }: ExplainedCall): ReviewRow =>
  call.value === "0"
    ? row("sends", words("no native value"))
    : toned("key", row("sends", ...nativeAmount(call.value)))

const TRUSTING = "isTrustedForwarder(address)"

/** Whether somebody else may pay a call's gas, as far as the catalog tells. */
const gasRow = ({ contract }: ExplainedCall, { self }: CallContext): ReviewRow =>
  row(
    "gas",
    words(
      self === "it"
        ? "paid by the wallet, or by a paymaster: its owners sign a user operation"
        : contract?.methods.some(({ signature }) => signature === TRUSTING)
          ? "paid by the wallet, or by somebody else: the contract takes requests through a forwarder"
          : "paid by the wallet alone: the contract takes no requests through a forwarder"
    )
  )

const afterRows = ({ call }: ExplainedCall): ReadonlyArray<ReviewRow> =>
  call.dependsOn.length === 0
    ? []
    : [row("only after", words(`step ${call.dependsOn.map(Number).join(" and ")} is confirmed`))]

const dataRows = ({ call }: ExplainedCall): ReadonlyArray<ReviewRow> => [
  row("calldata", words(`${(call.data.length - 2) / 2} bytes, selector `), exact(call.data.slice(0, 10)))
]

/** The sentence of a call, for where nothing else of the plan is in sight. */
export const sentenceRow = ({ sentence }: CallReview): ReviewRow =>
  toned("sentence", { name: "in words", value: sentence })

/** What to look at before all else. */
export const isKey = ({ tone }: ReviewRow): boolean => tone !== undefined && tone !== "good"

export const reviewCall = (explained: ExplainedCall, context: CallContext): CallReview => {
  const { call, method, contract } = explained
  const dangers = [
    ...explained.dangers,
    ...cloneDangers(explained, context),
    ...ownDangers(explained, context)
  ]
  const reading = { explained, tokens: context.tokens, wallet: context.wallet }
  return {
    index: context.index,
    title: titleOf(explained),
    chain: context.chain,
    sentence: asSentence(context, clauseOf(explained, context)),
    dangers,
    arguments: argumentRows(reading),
    rows: [
      ...dangers.map(danger => toned("danger", row("danger", words(danger)))),
      sendsRow(explained),
      ...recipientRows(reading),
      ...(explained.created?.rowsFor?.(context.wallet) ?? []),
      ...(explained.enabled?.rowsFor(context.tokens) ?? []),
      ...cautionRows(explained),
      addressRow(explained, context),
      row(
        "contract",
        contract === undefined ? untrusted(call.decoded.contractId) : exact(contract.id),
        words(` on ${context.chain}`)
      ),
      ...(method === undefined ? [] : [row("function", exact(method.signature))]),
      ...afterRows(explained),
      gasRow(explained, context),
      row("label", untrusted(call.label)),
      ...dataRows(explained)
    ]
  }
}
