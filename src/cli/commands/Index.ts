import { isRecord } from "effect/Predicate"
import type { Client } from "../../client/Client.ts"
import type { EntityKey, EntityQuery } from "../../client/Indexer.ts"
import type { Capabilities } from "../../http/api/Capabilities.ts"
import type { EntityName } from "../../indexer/Entities.ts"
import type { CatalogEntity, Json, Network } from "../../indexer/IndexerSchemas.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { foreign } from "../ForeignText.ts"
import type { Input } from "../Input.ts"
import { jsonFrom } from "../Json.ts"
import { facts, isoSeconds, textTable } from "../Table.ts"

const DEFAULT_MOST = 20
const MOST_COLUMNS = 8
const MOST_CHARACTERS = 44

type Row = { readonly [member: string]: unknown }

const networkOf = (input: Input, { sources }: Capabilities): Network => {
  const chosen = input.choice("network", ["mainnet", "testnet"])
  const [only] = sources.indexer.networks
  if (chosen !== undefined) return chosen
  if (only !== undefined && sources.indexer.networks.length === 1) return only
  throw usageFailure("Which network?", "Give --network mainnet or --network testnet.")
}

const isName = (text: string, known: ReadonlyArray<CatalogEntity>): text is EntityName =>
  known.some(({ name }) => name === text)

const entityOf = (text: string, known: ReadonlyArray<CatalogEntity>): EntityName => {
  if (isName(text, known)) return text
  const near = known.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  const names = (near.length > 0 ? near : known).map(({ name }) => name).join(", ")
  throw usageFailure(`There is no entity "${text}".`, `Name one of ${names}.`)
}

const isMembers = (value: unknown): value is { readonly [member: string]: Json } => isRecord(value)

const membersFrom = (text: string, what: string) => {
  const value = jsonFrom(text, what)
  return isMembers(value) ? value : refuse(`${what} is no JSON object.`)
}

const refuse = (message: string): never => {
  throw usageFailure(message, "Correct it and run the command again.")
}

const isKey = (value: unknown): value is { readonly [part: string]: string | number } =>
  isMembers(value) && Object.values(value).every(part => typeof part === "string" || typeof part === "number")

const keyFrom = (text: string): NonNullable<EntityKey["id"]> => {
  if (!text.startsWith("{")) return text
  const value = jsonFrom(text, "The key")
  return isKey(value) ? value : refuse("The key's parts are texts and numbers.")
}

const orderFrom = (text: string): NonNullable<EntityQuery["orderBy"]> => {
  const [field = "", direction = "asc"] = text.split(":")
  return direction === "asc" || direction === "desc"
    ? { field, direction }
    : refuse("--order takes a field, or a field with :asc or :desc.")
}

const scopeOf = (given: Input, network: Network) => {
  const chainId = given.integer("chain")
  const projectId = given.value("project")
  const fields = given.value("fields")
  return {
    network,
    ...(chainId !== undefined && { chainId }),
    ...(projectId !== undefined && { projectId }),
    ...(fields !== undefined && { fields: fields.split(",").map(field => field.trim()) })
  }
}

const cell = (value: unknown): string =>
  value === null ? "-" : foreign(typeof value === "string" ? value : JSON.stringify(value), MOST_CHARACTERS)

const at = (row: Row, path: string): unknown =>
  path.split(".").reduce<unknown>((value, part) => (isMembers(value) ? (value[part] ?? null) : null), row)

const rowsText = (rows: ReadonlyArray<Row>, fields: ReadonlyArray<string> | undefined): string => {
  const [first] = rows
  if (first === undefined) return "No rows."
  const columns = fields ?? Object.keys(first).slice(0, MOST_COLUMNS)
  return textTable(
    columns,
    rows.map(row => columns.map(column => cell(at(row, column))))
  )
}

const listed = async (
  client: Client,
  entity: EntityName,
  given: Input,
  network: Network
): Promise<CommandOutcome> => {
  const most = given.integer("most", 1) ?? DEFAULT_MOST
  const filter = given.value("filter")
  const order = given.value("order")
  const scope = scopeOf(given, network)
  const query = {
    ...scope,
    ...(filter !== undefined && { filters: membersFrom(filter, "The filter") }),
    ...(order !== undefined && { orderBy: orderFrom(order) }),
    limit: Math.min(Math.max(most, 1), 50)
  }
  const items: Array<Row> = []
  for await (const row of client.indexer.iterate(entity, query)) {
    if (items.length >= most) break
    items.push({ ...row })
  }
  return { json: { items }, text: rowsText(items, scope.fields) }
}

const recorded = async (
  client: Client,
  entity: EntityName,
  given: Input,
  network: Network
): Promise<CommandOutcome> => {
  const id = given.value("id")
  const query = { ...scopeOf(given, network), ...(id !== undefined && { id: keyFrom(id) }) }
  const record = await client.indexer.record(entity, query)
  const members = Object.entries(record.item ?? {}).map(([name, value]): readonly [string, string] => [
    name,
    cell(value)
  ])
  return { json: record, text: members.length === 0 ? "No such record." : facts(members) }
}

const progress = async (client: Client, network: Network): Promise<CommandOutcome> => {
  const status = await client.indexer.status(network)
  const rows = status.chains.map(({ chainId, block, timestamp }) => [
    String(chainId),
    block === null ? "-" : String(block),
    timestamp === null ? "-" : isoSeconds(timestamp)
  ])
  return { json: status, text: textTable(["CHAIN", "BLOCK", "BLOCK TIME"], rows) }
}

export const indexCommand: Command = {
  name: "index",
  takes: "[<entity>]",
  summary: "List the rows of an indexed entity, show one of them, or how far the source has indexed.",
  details:
    "Without an entity it shows the progress. With --id, or with --record where chain and project are the whole key, it shows one record.",
  flags: [
    ...signedFlags,
    { name: "network", value: "<name>", help: "mainnet or testnet; needed where both are configured." },
    { name: "chain", value: "<id>", help: "Only rows of this chain." },
    { name: "project", value: "<id>", help: "Only rows of this project." },
    { name: "fields", value: "<a,b.c>", help: "These fields, separated by commas." },
    { name: "filter", value: "<JSON>", help: `Filters of the catalog, such as '{"amount_gt":"0"}'.` },
    { name: "order", value: "<field[:desc]>", help: "The order; rows without a value come last." },
    { name: "most", value: "<number>", help: "How many rows at most; 20 by default." },
    { name: "id", value: "<key>", help: "One record: its key's open part, or its parts as JSON." },
    { name: "record", help: "One record by the chain and the project alone." }
  ],
  run: async (given, terminal) => {
    const { client, capabilities } = await connect(given, terminal)
    const network = networkOf(given, capabilities)
    const wanted = given.word(0)
    if (wanted === undefined) return progress(client, network)
    const entity = entityOf(wanted, (await client.catalog.indexer()).entities)
    return given.has("id") || given.has("record")
      ? recorded(client, entity, given, network)
      : listed(client, entity, given, network)
  }
}
