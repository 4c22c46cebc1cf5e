/** What was typed of a session as the service takes it, or what is wrong with it, field by field. */
import { addressOf } from "../../client/SignRequest.ts"
import { NATIVE_ASSET } from "../../sessions/KnownRights.ts"
import type { SessionInput } from "../../sessions/SessionInput.ts"
import type { Address, Bytes32 } from "../../values/Scalars.ts"
import { unitsOf } from "../doing/fields/Exactly.ts"
import type { OfferedWallet } from "../wallets/WalletWords.ts"
import { gasBudgetOf } from "./ReadGas.ts"
import { type Faults, FieldReading } from "./Reading.ts"
import type { DraftLimit, DraftRight, SessionDraft } from "./SessionDraft.ts"

export interface DraftGround {
  readonly manifest: OfferedWallet["manifest"]
  readonly bindingId: Bytes32
  readonly wallet: Address
  /** Of the bot that is chosen, in Unix seconds. */
  readonly grantEnds: number
  /** On the service's clock. */
  readonly nowSeconds: number
  readonly nonce: Bytes32
}

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** Since the chain's newest block is a little older than now. */
const MARGIN_SECONDS = 30
const MOST_CALLS = 100_000
const LATEST_HOURS = 23
const DECIMALS = 18
const NAME = /^[A-Za-z0-9._-]{1,64}$/

interface ReadLimit {
  readonly name: string
  readonly asset: Address
  readonly decimals: number
  readonly amount: bigint
  readonly at: number
}

const readLimit =
  (reading: FieldReading, { manifest }: DraftGround, all: ReadonlyArray<DraftLimit>) =>
  ({ name, asset, amount }: DraftLimit, at: number): ReadLimit => {
    const field = (member: string) => `limit-${at}-${member}`
    if (!NAME.test(name))
      reading.fault(field("name"), "1 to 64 letters, digits, dots, underscores and dashes.")
    const before = all.slice(0, at)
    if (before.some(each => each.name === name)) reading.fault(field("name"), "Another limit has this name.")
    if (before.some(each => each.asset === asset))
      reading.fault(field("asset"), "Another limit is of this asset.")
    const { decimals = DECIMALS, address = NATIVE_ASSET } =
      manifest.reviewed.assets.find(each => each.address === asset) ?? {}
    return { name, asset: address, decimals, amount: reading.amount(field("amount"), amount, decimals), at }
  }

interface Rights {
  readonly reading: FieldReading
  readonly ground: DraftGround
  readonly limits: ReadonlyArray<ReadLimit>
}

const spendingOf = ({ reading, ground, limits }: Rights, right: DraftRight, at: number) => {
  const field = (member: string) => `right-${at}-${member}`
  const limit = right.limit === "" ? undefined : limits[Number(right.limit)]
  if (limit === undefined) reading.fault(field("limit"), "It needs a limit that counts it.")
  if (right.kind === "erc20-transfer" && limit?.asset === NATIVE_ASSET)
    reading.fault(field("limit"), "A limit of a token: the native currency is no token.")
  const { decimals = DECIMALS, amount = 0n, name = "" } = limit ?? {}
  const perCall = reading.amount(field("per-call"), right.perCall, decimals)
  const total = reading.amount(field("total"), right.total, decimals)
  if (perCall > total) reading.fault(field("per-call"), "At most what it may spend in all.")
  if (limit !== undefined && total > amount) reading.fault(field("total"), `At most the limit ${name}.`)
  const beneficiary = reading.address(field("beneficiary"), right.beneficiary)
  if (beneficiary.toLowerCase() === ground.wallet.toLowerCase())
    reading.fault(field("beneficiary"), "Somebody else than the wallet.")
  return {
    allocationId: name,
    beneficiary,
    perCallLimit: String(perCall),
    totalLimit: String(total)
  }
}

type Action = SessionInput["actions"][number]

const readRight =
  (rights: Rights) =>
  (right: DraftRight, at: number): Action => {
    const { reading } = rights
    const project = () => String(reading.amount(`right-${at}-project`, right.projectId, 0))
    if (right.kind === "v6-project-uri")
      return { kind: right.kind, controller: addressOf(right.controller), projectId: project() }
    const projectId = right.kind === "v6-pay" ? project() : ""
    const spending = spendingOf(rights, right, at)
    if (right.kind === "erc20-transfer") return { kind: right.kind, ...spending }
    const least = unitsOf(right.least, DECIMALS)
    if (least === undefined) reading.fault(`right-${at}-least`, `A number with at most ${DECIMALS} decimals.`)
    return {
      kind: right.kind,
      ...spending,
      terminal: addressOf(right.terminal),
      projectId,
      minReturnedTokens: least ?? "0"
    }
  }

/** Which function of which contract; the guard takes each once. */
const calledBy = (action: Action): string => {
  switch (action.kind) {
    case "v6-pay":
      return `pay ${action.terminal}`
    case "v6-project-uri":
      return `uri ${action.controller}`
    case "erc20-transfer":
      return `send ${action.allocationId}`
  }
}

const noteRepeated = (reading: FieldReading, actions: ReadonlyArray<Action>): void => {
  const called = actions.map(calledBy)
  for (const [at, name] of called.entries())
    if (called.indexOf(name) < at)
      reading.fault(`right-${at}-kind`, "Another right is the same function of the same contract.")
}

/** What the rights of one limit add up to is within it. */
const noteExcess = (
  reading: FieldReading,
  limits: ReadonlyArray<ReadLimit>,
  actions: ReadonlyArray<Action>
): void => {
  for (const { name, amount, at } of limits) {
    const spent = actions.reduce(
      (sum, action) =>
        "allocationId" in action && action.allocationId === name ? sum + BigInt(action.totalLimit) : sum,
      0n
    )
    if (spent > amount) reading.fault(`limit-${at}-amount`, "At least what its rights may spend together.")
  }
}

interface ReadDraft {
  readonly faults: Faults
  /** Undefined where there are faults. */
  readonly input: SessionInput | undefined
}

const DAYS = { "7": 7, "30": 30 } as const

const startOf = ({ startsIn }: SessionDraft, { nowSeconds }: DraftGround): number =>
  startsIn === "0" ? nowSeconds - MARGIN_SECONDS : nowSeconds + Number(startsIn) * HOUR_SECONDS

const noteShortGrant = (reading: FieldReading, draft: SessionDraft, ground: DraftGround): void => {
  if (startOf(draft, ground) + DAYS[draft.days] * DAY_SECONDS > ground.grantEnds)
    reading.fault("bot", "Its grant ends before the session would.")
}

const inputOf = (
  draft: SessionDraft,
  ground: DraftGround,
  {
    limits,
    ...read
  }: Pick<SessionInput, "maximumCalls" | "gasBudget" | "actions"> & {
    readonly limits: ReadonlyArray<ReadLimit>
  }
): SessionInput => ({
  bindingId: ground.bindingId,
  grantId: draft.grantId,
  generation: String(ground.nowSeconds),
  nonce: ground.nonce,
  validAfter: startOf(draft, ground),
  durationDays: DAYS[draft.days],
  ...read,
  allocations: limits.map(({ name, asset, amount }) => ({
    id: name,
    total: String(amount),
    allocations: [{ id: name, chainId: ground.manifest.chainId, asset, limit: String(amount) }]
  }))
})

export const readDraft = (draft: SessionDraft, ground: DraftGround): ReadDraft => {
  const reading = new FieldReading()
  const maximumCalls = reading.whole("calls", draft.calls, [1, MOST_CALLS])
  reading.whole("starts", draft.startsIn, [0, LATEST_HOURS])
  noteShortGrant(reading, draft, ground)
  const limits = draft.limits.map(readLimit(reading, ground, draft.limits))
  const actions = draft.rights.map(readRight({ reading, ground, limits }))
  if (actions.length === 0) reading.fault("add-right", "It needs a right at least.")
  noteRepeated(reading, actions)
  noteExcess(reading, limits, actions)
  const gasBudget = gasBudgetOf(reading, draft.gas, maximumCalls)
  const { faults } = reading
  const isFine = Object.keys(faults).length === 0
  return {
    faults,
    input: isFine ? inputOf(draft, ground, { maximumCalls, gasBudget, actions, limits }) : undefined
  }
}
