/** What projects, groups and holders have after a block, and how it was at that block. */
import type { Row } from "../Cursors.ts"
import type { ProjectState } from "./Chain.ts"
import type { BlockFacts, HolderFact } from "./Facts.ts"
import { metadataColumns } from "./Metadata.ts"
import { groupId, VERSION, type Writer } from "./Writer.ts"

const SUMMED = [
  "paymentsCount",
  "redeemCount",
  "volume",
  "redeemVolume",
  "balance",
  "tokenSupply",
  "reservedTokenSupply",
  "contributorsCount"
]

const stateColumns = (state: ProjectState): Row => {
  const [accepted] = state.contexts
  return {
    ...metadataColumns(state.uri),
    owner: state.owner,
    metadataUri: state.uri === "" ? null : state.uri,
    balance: state.balance,
    tokenSupply: state.tokenSupply,
    reservedTokenSupply: state.reservedTokenSupply,
    token: accepted?.token ?? null,
    tokenSymbol: state.symbol,
    decimals: accepted?.decimals ?? null,
    currency: accepted === undefined ? null : String(accepted.currency),
    tokens: state.contexts.map(({ token }) => token.toLowerCase())
  }
}

const pick = (row: Row, names: ReadonlyArray<string>): Row =>
  Object.fromEntries(names.map(name => [name, row[name]]))

const writeProject = async (
  writer: Writer,
  chainId: number,
  { block }: BlockFacts,
  projectId: bigint,
  state: ProjectState
): Promise<void> => {
  const key = { chainId, projectId: Number(projectId), version: VERSION }
  const timestamp = Number(block.timestamp)
  await writer.put("project", { ...key, ...stateColumns(state) })
  const row = await writer.find("project", key)
  if (row === undefined) throw new Error(`Project ${projectId} was not written.`)
  const moment = pick(row, ["volume", "volumeUsd", "balance", "trendingScore"])
  await writer.put("projectMoment", { ...key, block: Number(block.number), timestamp, ...moment })
  const group = groupId(chainId, projectId)
  await writer.put("suckerGroup", { id: group, ...pick(row, SUMMED) })
  await writer.put("suckerGroupMoment", {
    suckerGroupId: group,
    version: VERSION,
    timestamp,
    ...pick(row, SUMMED)
  })
}

const writeHolder = async (
  writer: Writer,
  chainId: number,
  { block }: BlockFacts,
  { projectId, holder, creditBalance, erc20Balance }: HolderFact
): Promise<void> => {
  const timestamp = Number(block.timestamp)
  const suckerGroupId = groupId(chainId, projectId)
  const key = { chainId, projectId: Number(projectId), version: VERSION, address: holder }
  const balances = { creditBalance, erc20Balance, balance: creditBalance + erc20Balance }
  await writer.ensure("wallet", { address: holder })
  await writer.ensure("participant", { ...key, suckerGroupId, createdAt: timestamp, isRevnet: false })
  await writer.put("participant", { ...key, ...balances })
  const row = await writer.find("participant", key)
  await writer.put("participantSnapshot", {
    ...key,
    suckerGroupId,
    timestamp,
    block: Number(block.number),
    ...balances,
    ...pick(row ?? {}, ["volume", "volumeUsd"])
  })
}

export const writeTotals = async (writer: Writer, chainId: number, facts: BlockFacts): Promise<void> => {
  for (const [projectId, state] of facts.projects)
    await writeProject(writer, chainId, facts, projectId, state)
  for (const fact of facts.holders) await writeHolder(writer, chainId, facts, fact)
}
