/** The calls that a session may make, word by word, as the guard compares them. */
import { Either } from "effect"
import { word } from "../values/AbiWords.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { WalletManifests } from "./CheckAllocations.ts"
import { NATIVE_ASSET } from "./KnownRights.ts"
import type { SessionAction } from "./PolicyShape.ts"
import { reviewedTarget, TARGET_KINDS } from "./ReviewedLists.ts"
import { NO_ALLOCATION } from "./ReviewPolicy.ts"
import { InvalidSession, SessionAllocationInvalid, SessionTargetUnreviewed } from "./refusals.ts"
import type {
  AskedAllocation,
  ProjectPayAction,
  ProjectUriAction,
  SessionActionInput,
  TokenTransferAction
} from "./SessionInput.ts"

/** `setUriOf(uint256,string)`. */
const SET_URI: Hex = "0x702a3977"
/** `transfer(address,uint256)`. */
const TRANSFER: Hex = "0xa9059cbb"
/** `pay(uint256,address,uint256,address,uint256,string,bytes)`. */
const PAY: Hex = "0xfef43257"

const URI_BYTES = [100, 2_148] as const
const TRANSFER_BYTES = [68, 68] as const
const PAY_BYTES = [292, 292] as const

export interface ActionGround {
  readonly manifests: WalletManifests
  readonly wallet: Address
  /** Of the wallet's chain. */
  readonly allocations: ReadonlyArray<AskedAllocation>
}

type Refused = InvalidSession | SessionAllocationInvalid | SessionTargetUnreviewed
type Compiled = Either.Either<SessionAction, Refused>

const bytes32 = (value: string | number | bigint): Bytes32 => `0x${word(value)}`

const equal = (index: number, value: string | number | bigint) => ({
  condition: 0,
  offset: 32 * index,
  word: bytes32(value)
})

const counted = (index: number, perCall: string) => ({
  condition: 1,
  offset: 32 * index,
  word: bytes32(perCall)
})

/** A memo and metadata of no bytes, where they must stand. */
const NO_TEXTS = [equal(5, 224), equal(6, 256), equal(7, 0), equal(8, 0)]

const invalid = (path: string, expected: string) =>
  Either.left(new SessionAllocationInvalid({ context: { path, expected } }))

const targetOf = (
  { manifests }: ActionGround,
  kind: SessionActionInput["kind"],
  { path, address }: { readonly path: string; readonly address: Address }
) => {
  const target = reviewedTarget(manifests.own, TARGET_KINDS[kind], address)
  return target === undefined
    ? Either.left(
        new SessionTargetUnreviewed({ context: { path, address, kind: TARGET_KINDS[kind], check: "review" } })
      )
    : Either.right({ target: address, codeHash: target.runtimeCodeHash })
}

type Spending = TokenTransferAction | ProjectPayAction

type Limits = Pick<SessionAction, "allocation" | "perCall" | "total">

const NO_LIMITS: Limits = { allocation: NO_ALLOCATION, perCall: "0", total: "0" }

interface Spent {
  readonly asset: Address
  readonly limits: Limits
}

type Called = Pick<SessionAction, "selector" | "valueMode" | "rules"> & {
  readonly lengths: readonly [least: number, most: number]
}

/** Member by member: an object put together of others takes several times as long. */
const actionOf = (
  { target, codeHash }: Pick<SessionAction, "target" | "codeHash">,
  { selector, valueMode, lengths, rules }: Called,
  { allocation, perCall, total }: Limits = NO_LIMITS
): SessionAction => ({
  target,
  codeHash,
  selector,
  valueMode,
  allocation,
  minimumLength: lengths[0],
  maximumLength: lengths[1],
  perCall,
  total,
  rules
})

/** What is spent, and where the policy counts it. */
const spent = (
  { allocations, wallet }: ActionGround,
  action: Spending,
  path: string
): Either.Either<Spent, Refused> => {
  const { allocationId, beneficiary, perCallLimit, totalLimit } = action
  const index = allocations.findIndex(({ id }) => id === allocationId)
  const allocation = allocations[index]
  if (allocation === undefined)
    return invalid(`${path}.allocationId`, "the id of an allocation of the wallet's chain")
  if (BigInt(perCallLimit) > BigInt(totalLimit)) return invalid(`${path}.perCallLimit`, "at most totalLimit")
  if (BigInt(totalLimit) > BigInt(allocation.limit))
    return invalid(`${path}.totalLimit`, "at most the limit of its allocation")
  if (beneficiary === wallet)
    return Either.left(
      new InvalidSession({
        context: { path: `${path}.beneficiary`, expected: "another address than the wallet's" }
      })
    )
  return Either.right({
    asset: allocation.asset,
    limits: { allocation: index, perCall: perCallLimit, total: totalLimit }
  })
}

const projectUri = (ground: ActionGround, action: ProjectUriAction, path: string): Compiled =>
  Either.map(
    targetOf(ground, action.kind, { path: `${path}.controller`, address: action.controller }),
    target =>
      actionOf(target, {
        selector: SET_URI,
        valueMode: 0,
        lengths: URI_BYTES,
        rules: [equal(0, action.projectId), equal(1, 64)]
      })
  )

const tokenTransfer = (ground: ActionGround, action: TokenTransferAction, path: string): Compiled =>
  Either.flatMap(spent(ground, action, path), ({ asset, limits }): Compiled => {
    const at = `${path}.allocationId`
    if (asset === NATIVE_ASSET) return invalid(at, "an allocation of a token")
    const rules = [equal(0, action.beneficiary), counted(1, action.perCallLimit)]
    return Either.map(targetOf(ground, action.kind, { path: at, address: asset }), target =>
      actionOf(target, { selector: TRANSFER, valueMode: 0, lengths: TRANSFER_BYTES, rules }, limits)
    )
  })

const projectPayment = (ground: ActionGround, action: ProjectPayAction, path: string): Compiled =>
  Either.flatMap(spent(ground, action, path), ({ asset, limits }) => {
    const place = { path: `${path}.terminal`, address: action.terminal }
    const valueMode = asset === NATIVE_ASSET ? 1 : 0
    const rules = [
      equal(0, action.projectId),
      equal(1, asset),
      counted(2, action.perCallLimit),
      equal(3, action.beneficiary),
      equal(4, action.minReturnedTokens),
      ...NO_TEXTS
    ]
    return Either.map(targetOf(ground, action.kind, place), target =>
      actionOf(target, { selector: PAY, valueMode, lengths: PAY_BYTES, rules }, limits)
    )
  })

const compiled = (ground: ActionGround, action: SessionActionInput, path: string): Compiled => {
  switch (action.kind) {
    case "v6-project-uri":
      return projectUri(ground, action, path)
    case "erc20-transfer":
      return tokenTransfer(ground, action, path)
    case "v6-pay":
      return projectPayment(ground, action, path)
  }
}

const checkDistinct = (actions: ReadonlyArray<SessionAction>) => {
  const index = actions.findIndex(({ target, selector }, position) => {
    const first = actions.findIndex(other => other.target === target && other.selector === selector)
    return first < position
  })
  return index < 0
    ? Either.void
    : Either.left(
        new InvalidSession({
          context: {
            path: `actions[${index}]`,
            expected: "another contract or function than those of the actions before it"
          }
        })
      )
}

/** What several actions take of an allocation is within its limit together. */
const checkSums = ({ allocations }: ActionGround, actions: ReadonlyArray<SessionAction>) => {
  const index = allocations.findIndex(({ limit }, position) => {
    const taking = actions.filter(({ allocation }) => allocation === position)
    return taking.reduce((sum, { total }) => sum + BigInt(total), 0n) > BigInt(limit)
  })
  const over = allocations[index]
  return over === undefined
    ? Either.void
    : invalid("actions", `totals of the allocation ${over.id} within its limit ${over.limit} together`)
}

export const compileActions = (
  ground: ActionGround,
  asked: ReadonlyArray<SessionActionInput>
): Either.Either<ReadonlyArray<SessionAction>, Refused> => {
  const actions: Array<SessionAction> = []
  for (const [index, action] of asked.entries()) {
    const one = compiled(ground, action, `actions[${index}]`)
    if (Either.isLeft(one)) return Either.left(one.left)
    actions.push(one.right)
  }
  return Either.map(
    Either.flatMap(checkDistinct(actions), () => checkSums(ground, actions)),
    () => actions
  )
}
