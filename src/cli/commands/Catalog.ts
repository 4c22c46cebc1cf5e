import type { ContractDetail, ContractItem, MethodRecord } from "../../catalog/CatalogSchemas.ts"
import type { PublicClient } from "../../client/Client.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { chainFlag, publicClient, serviceFlags } from "../Connection.ts"
import type { Input } from "../Input.ts"
import { contractIdOf, methodOf } from "../Lookup.ts"
import { facts, indented, textTable } from "../Table.ts"

const matches = (item: ContractItem, search: string | undefined): boolean =>
  search === undefined || item.id.toLowerCase().includes(search.toLowerCase())

const chainsOf = (item: ContractItem): string =>
  item.chains.flatMap(({ chainId, status }) => (status === "published" ? [chainId] : [])).join(",")

const list = async (catalog: PublicClient["catalog"], input: Input): Promise<CommandOutcome> => {
  const chainId = input.integer("chain")
  const items: Array<ContractItem> = []
  const filters = {
    ...(chainId !== undefined && { chainId }),
    deployedOnly: input.has("deployed") || chainId !== undefined,
    executableOnly: !input.has("all"),
    limit: 100
  }
  for await (const item of catalog.iterate(filters))
    if (matches(item, input.value("search"))) items.push(item)
  const rows = items.map(item => [
    item.name,
    `${item.methodCounts.read}/${item.methodCounts.write}`,
    chainsOf(item),
    item.id
  ])
  return {
    json: { items },
    text:
      items.length === 0 ? "No contract matches." : textTable(["NAME", "READ/WRITE", "CHAINS", "ID"], rows)
  }
}

const methodLines = (methods: ReadonlyArray<MethodRecord>, kind: MethodRecord["kind"]): string =>
  methods
    .filter(method => method.kind === kind)
    .map(({ signature }) => `  ${signature}`)
    .join("\n")

const contract = (detail: ContractDetail): CommandOutcome => {
  const rows = detail.deployments.flatMap(({ chainId, instances }) =>
    instances.map(({ address, alias, retired, generation }) => [
      String(chainId),
      address,
      alias,
      `${generation}${retired ? ", retired" : ""}`
    ])
  )
  const text = [
    facts([
      ["id", detail.id],
      ["category", detail.category],
      ["abi hash", detail.abiHash ?? "none"]
    ]),
    `deployments:\n${indented(rows.length === 0 ? "none" : textTable(["CHAIN", "ADDRESS", "ALIAS", "GENERATION"], rows))}`,
    `read:\n${methodLines(detail.methods, "read")}`,
    `write:\n${methodLines(detail.methods, "write")}`
  ]
  return { json: detail, text: text.join("\n") }
}

const method = (record: MethodRecord): CommandOutcome => {
  const row = (parameter: { readonly name: string; readonly type: string }) => [
    parameter.name || "(unnamed)",
    parameter.type
  ]
  const part = (title: string, parameters: MethodRecord["inputs"]) =>
    parameters.length === 0
      ? `${title}: none`
      : `${title}:\n${indented(textTable(["NAME", "TYPE"], parameters.map(row)))}`
  const text = [
    facts([
      ["signature", record.signature],
      ["selector", record.selector ?? "none"],
      ["mutability", record.stateMutability]
    ]),
    part("inputs", record.inputs),
    part("outputs", record.outputs)
  ]
  return { json: record, text: text.join("\n") }
}

export const catalog: Command = {
  name: "catalog",
  takes: "[<contract> [<function>]]",
  summary: "List the pinned contracts, or show one of them or one of its functions.",
  details: "A contract is a full id or a name that only one executable contract has.",
  flags: [
    ...serviceFlags,
    { name: "search", value: "<text>", help: "Only ids with this text." },
    { ...chainFlag, help: "Only contracts with a deployment on this chain." },
    { name: "deployed", help: "Only contracts with a published deployment, on any chain." },
    { name: "all", help: "Also interfaces, abstract contracts, libraries and scripts." }
  ],
  run: async input => {
    const client = publicClient(input)
    const wanted = input.word(0)
    if (wanted === undefined) return list(client.catalog, input)
    const detail = await client.catalog.contract(await contractIdOf(client.catalog, wanted))
    const signature = input.word(1)
    return signature === undefined ? contract(detail) : method(methodOf(detail, signature))
  }
}
