/** An index with a project of the sandbox chain in it, whose past is made up; what is in force is the chain's own. */
import type { Row } from "../../../../sandbox/index/Cursors.ts"
import { plainRow } from "../../../support/IndexedRows.ts"
import type { IndexedSource } from "../../../support/IndexedSource.ts"
import { NATIVE_TOKEN, type Sandbox } from "../../../support/Sandbox.ts"
import { type Party, signedFetch } from "../../../support/SignedFetch.ts"

export const CHAIN = 31_337
export const DEMO = 2
export const ETHER = 10n ** 18n
export const DAY = 86_400

export const HASH = `0x${"ab".repeat(32)}`

/** Of what is given, each entity takes its own columns. */
export const inserted = (source: IndexedSource, entity: string, rows: ReadonlyArray<Row>): Promise<void> => {
  const columns = source.model.get(entity)?.columns
  const own = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => columns?.has(name)))
  const common = { chainId: CHAIN, projectId: DEMO, suckerGroupId: "g" }
  return source.insert(
    entity,
    rows.map(row => plainRow(source.model, entity, own({ ...common, ...row })))
  )
}

export interface InForceNow {
  readonly id: string
  readonly start: number
  readonly duration: number
}

/** What the chain says of the demo project's ruleset. */
export const inForceNow = async ({ service }: Sandbox, owner: Party): Promise<InForceNow> => {
  const answer = await signedFetch(service, owner, "GET", `/api/v1/projects/${CHAIN}/${DEMO}?source=onchain`)
  const { ruleset } = (await answer.json()).onchain.rulesets.current.value
  return { id: ruleset.id, start: Number(ruleset.start), duration: Number(ruleset.duration) }
}

const WALLET = "0x00000000000000000000000000000000000000aa"

export const insertProject = (source: IndexedSource, row: Row = {}): Promise<void> =>
  inserted(source, "project", [
    {
      id: `p-${row.projectId ?? DEMO}`,
      createdAt: 1_700_000_000,
      owner: WALLET,
      creator: WALLET,
      deployer: WALLET,
      name: "Demo",
      token: NATIVE_TOKEN.toLowerCase(),
      tokenSymbol: "ETH",
      decimals: 18,
      tokens: [NATIVE_TOKEN.toLowerCase()],
      balance: String(10n * ETHER),
      tokenSupply: String(10_000n * ETHER),
      ...row
    }
  ])

/** Balances, two payouts and two rulesets, the second of which is the chain's own; the source has followed to now. */
export const insertPast = async (
  source: IndexedSource,
  { id, start, duration }: InForceNow
): Promise<void> => {
  const balances = [0n, 4n, 9n, 7n, 12n, 10n].map(ether => String(ether * ETHER))
  const began = start - 40 * DAY
  const at = (index: number) => began + index * 8 * DAY
  await inserted(
    source,
    "projectMoment",
    balances.map((balance, index) => ({ block: 10 + index, timestamp: at(index), balance, volume: balance }))
  )
  await inserted(
    source,
    "sendPayoutsEvent",
    [3, 5].map(index => ({
      id: `payout-${index}`,
      timestamp: at(index),
      txHash: HASH,
      caller: WALLET,
      from: WALLET,
      amount: String(3n * ETHER),
      amountPaidOut: String(2n * ETHER),
      fee: String(ETHER / 20n)
    }))
  )
  const rulesets = [
    {
      rulesetId: "77",
      basedOnId: 0,
      start: String(began),
      duration: String(7 * DAY),
      weight: String(2000n * ETHER),
      weightCutPercent: "100000000"
    },
    {
      rulesetId: id,
      basedOnId: 77,
      start: String(start),
      duration: String(duration),
      weight: String(1000n * ETHER),
      weightCutPercent: "50000000"
    }
  ]
  await inserted(
    source,
    "rulesetQueuedEvent",
    rulesets.map(({ start: _, ...row }, index) => ({
      id: `queued-${index}`,
      timestamp: at(index),
      txHash: HASH,
      caller: WALLET,
      from: WALLET,
      approvalHook: WALLET,
      ...row
    }))
  )
  await inserted(
    source,
    "cashOutTaxSnapshot",
    rulesets.map(({ rulesetId, start: begins, duration: lasts }) => ({
      rulesetId,
      start: begins,
      duration: lasts
    }))
  )
  await followed(source, start + 2 * DAY)
}

export const followed = (source: IndexedSource, blockTimestamp: number): Promise<void> =>
  source.progress([{ chainId: CHAIN, name: "sandbox", blockNumber: 99, blockTimestamp }])

/** An event that the index lists, and its row of details. */
export const insertEvent = async (
  source: IndexedSource,
  type: string,
  head: Row,
  details: Row
): Promise<void> => {
  const id = `${type}-${head.timestamp}`
  const shared = { txHash: HASH, from: WALLET, ...head }
  await inserted(source, type, [{ id, caller: WALLET, beneficiary: WALLET, ...shared, ...details }])
  await inserted(source, "activityEvent", [{ id: `activity-${id}`, type, [type]: id, ...shared }])
}
