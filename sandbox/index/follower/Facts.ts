/** Everything that the rows of some blocks rest on, read before anything is written. */
import { type Address, getAddress, type PublicClient, zeroAddress } from "viem"
import {
  type Addresses,
  type Block,
  blockAt,
  type Head,
  type HolderState,
  type Log,
  logsBetween,
  type ProjectState,
  type RulesetState,
  type SuckerState,
  type Views,
  viewsAt
} from "./Chain.ts"
import { eventOf, type ProtocolEvent } from "./ProtocolEvents.ts"

export interface HolderFact extends HolderState {
  readonly projectId: bigint
  readonly holder: Address
}

export interface BlockFacts {
  readonly block: Block
  readonly events: ReadonlyArray<ProtocolEvent>
  readonly projects: ReadonlyMap<bigint, ProjectState>
  readonly holders: ReadonlyArray<HolderFact>
  /** By their id, which is the same in no two projects of a block. */
  readonly rulesets: ReadonlyMap<string, RulesetState>
  /** By their checksummed addresses. */
  readonly suckers: ReadonlyMap<Address, SuckerState>
}

export const rulesetKey = (projectId: bigint, rulesetId: bigint): string => `${projectId}-${rulesetId}`

const projectOf = ({ contract, eventName, args }: ProtocolEvent): bigint | undefined => {
  if (contract === "JBERC20" || contract === "JBSucker") return undefined
  if (eventName === "Transfer") return args.tokenId
  return args.projectId
}

const holdersOf = (event: ProtocolEvent): ReadonlyArray<Address> => {
  switch (event.eventName) {
    case "Mint":
    case "Burn":
      return [event.args.holder]
    case "ClaimTokens":
      return [event.args.holder, event.args.beneficiary]
    case "TransferCredits":
      return [event.args.holder, event.args.recipient]
    case "Pay":
      return [event.args.beneficiary]
    case "Transfer":
      return event.contract === "JBERC20" ? [event.args.from, event.args.to] : []
    default:
      return []
  }
}

interface Touched {
  readonly projects: ReadonlySet<bigint>
  readonly holders: ReadonlyMap<string, readonly [projectId: bigint, holder: Address]>
}

/** A project's token is known by its project; other tokens' transfers are not ours. */
const ours = async (events: ReadonlyArray<ProtocolEvent>, views: Views) => {
  const tokens = new Set(events.flatMap(({ contract, log }) => (contract === "JBERC20" ? [log.address] : [])))
  const pairs = await Promise.all(
    [...tokens].map(async token => [getAddress(token), await views.projectOfToken(token)] as const)
  )
  return new Map(pairs.filter(([, projectId]) => projectId !== 0n))
}

const suckersOf = async (events: ReadonlyArray<ProtocolEvent>, views: Views) => {
  const emitters = events.flatMap(({ contract, log }) =>
    contract === "JBSucker" ? [getAddress(log.address)] : []
  )
  const states = await Promise.all(
    [...new Set(emitters)].map(async address => [address, await views.sucker(address)] as const)
  )
  return new Map(states.flatMap(([address, state]) => (state === undefined ? [] : [[address, state]])))
}

const touchedBy = (
  events: ReadonlyArray<ProtocolEvent>,
  projectsOfTokens: ReadonlyMap<Address, bigint>
): Touched => {
  const projects = new Set<bigint>()
  const holders = new Map<string, readonly [bigint, Address]>()
  for (const event of events) {
    const projectId = projectOf(event) ?? projectsOfTokens.get(getAddress(event.log.address)) ?? 0n
    if (projectId === 0n) continue
    projects.add(projectId)
    for (const holder of holdersOf(event))
      if (holder !== zeroAddress) holders.set(`${projectId}-${holder}`, [projectId, holder])
  }
  return { projects, holders }
}

const rulesetsOf = async (events: ReadonlyArray<ProtocolEvent>, views: Views) => {
  const queued = events.flatMap(event => (event.eventName === "RulesetQueued" ? [event.args] : []))
  return new Map(
    await Promise.all(
      queued.map(
        async ({ projectId, rulesetId }) =>
          [rulesetKey(projectId, rulesetId), await views.ruleset(projectId, rulesetId)] as const
      )
    )
  )
}

const statesOf = async (events: ReadonlyArray<ProtocolEvent>, views: Views) => {
  const [tokens, suckers] = await Promise.all([ours(events, views), suckersOf(events, views)])
  const touched = touchedBy(events, tokens)
  const [rulesets, ...pairs] = await Promise.all([
    rulesetsOf(events, views),
    ...[...touched.projects].map(async id => [id, await views.project(id)] as const)
  ])
  const projects = new Map(pairs.flatMap(([id, state]) => (state === undefined ? [] : [[id, state]])))
  const holders = await Promise.all(
    [...touched.holders.values()].map(async ([projectId, holder]) => {
      const token = projects.get(projectId)?.token
      const state = token && (await views.holder(projectId, token, holder))
      return state === undefined ? [] : [{ projectId, holder, ...state }]
    })
  )
  return { rulesets, projects, holders: holders.flat(), suckers }
}

const MOST_PROJECTS = 2n ** 31n - 1n

/** Columns of project ids are no wider; permissions and splits may name what is no project. */
const fits = ({ args }: ProtocolEvent): boolean =>
  (!("projectId" in args) || args.projectId <= MOST_PROJECTS) &&
  (!("split" in args) || args.split.projectId <= MOST_PROJECTS)

const grouped = (logs: ReadonlyArray<Log>): ReadonlyMap<bigint, ReadonlyArray<Log>> => {
  const blocks = new Map<bigint, Array<Log>>()
  for (const log of logs) blocks.set(log.blockNumber, [...(blocks.get(log.blockNumber) ?? []), log])
  return blocks
}

/** The chain forgets the state after older blocks; then what it holds now has to do for them. */
const statesAround = (
  client: PublicClient,
  addresses: Addresses,
  events: ReadonlyArray<ProtocolEvent>,
  number: bigint,
  head: Head
) =>
  statesOf(events, viewsAt(client, addresses, number)).catch(cause => {
    if (number === head.number) throw cause
    return statesOf(events, viewsAt(client, addresses, head.number))
  })

export const factsBetween = async (
  client: PublicClient,
  addresses: Addresses,
  from: bigint,
  head: Head
): Promise<ReadonlyArray<BlockFacts>> => {
  const facts: Array<BlockFacts> = []
  for (const [number, logs] of grouped(await logsBetween(client, from, head.number))) {
    const events = logs.flatMap(log => eventOf(log, addresses) ?? []).filter(fits)
    if (events.length === 0) continue
    const [block, states] = await Promise.all([
      blockAt(client, number),
      statesAround(client, addresses, events, number, head)
    ])
    facts.push({ block, events, ...states })
  }
  return facts
}
