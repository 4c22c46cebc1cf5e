import { ServiceProblem } from "../../client/Errors.ts"
import type { Command, CommandOutcome, CommandTerminal } from "../Command.ts"
import { connect, publicClient, signedFlags } from "../Connection.ts"
import type { Input } from "../Input.ts"
import { jsonFrom } from "../Json.ts"
import { likelyMeant } from "../Meant.ts"
import { readable } from "../Readable.ts"
import { facts, textTable } from "../Table.ts"

const listed = async (input: Input): Promise<CommandOutcome> => {
  const operations = await publicClient(input).catalog.operations()
  const rows = operations.map(({ id, kind, sources, method }) => [id, kind, sources.join(", "), method])
  return { json: { operations }, text: textTable(["ID", "KIND", "SOURCES", "METHOD"], rows) }
}

const described = async (input: Input, id: string): Promise<CommandOutcome> => {
  const descriptor = await publicClient(input).catalog.operation(id)
  const { description, kind, sources, method, path, inputJsonSchema } = descriptor
  const text = [
    description,
    facts([
      ["kind", kind],
      ["sources", sources.join(", ")],
      ["called by", `${method} ${path}`]
    ]),
    `input:\n${JSON.stringify(inputJsonSchema, null, 2)}`
  ]
  return { json: descriptor, text: text.join("\n") }
}

const asked = async (input: Input, terminal: CommandTerminal, id: string): Promise<CommandOutcome> => {
  const given = jsonFrom(input.value("input") ?? "{}", "The input")
  const source = input.choice("source", ["onchain", "indexer"])
  const { client } = await connect(input, terminal)
  const answer = await client.operations.ask(id, given, { source })
  return { json: answer, text: readable(answer) }
}

const noteMeant = async (input: Input, terminal: CommandTerminal, id: string): Promise<void> => {
  const operations = await publicClient(input)
    .catalog.operations()
    .catch(() => [])
  const meant = likelyMeant(
    id,
    operations.map(operation => operation.id)
  )
  if (meant !== undefined) terminal.note(`Did you mean "service op ${meant}"?`)
}

export const op: Command = {
  name: "op",
  takes: "[<operation>]",
  summary: "Ask a semantic operation, describe one, or list them all.",
  details:
    'Its input is one JSON object: \'{"project": {"chainId": 31337, "projectId": "2"}}\'. Integers of contract width are decimal strings.',
  flags: [
    ...signedFlags,
    { name: "input", value: "<json>", help: "What the operation takes; {} by default." },
    { name: "source", value: "<source>", help: "onchain or indexer, where both serve the operation." },
    { name: "describe", help: "Show what the operation is and takes, without asking it." },
    { name: "list", help: "List the operations." }
  ],
  run: async (input, terminal) => {
    const id = input.word(0)
    if (id === undefined || input.has("list")) return listed(input)
    const outcome = input.has("describe") ? described(input, id) : asked(input, terminal, id)
    return outcome.catch(async (failure: unknown) => {
      if (failure instanceof ServiceProblem && failure.code === "OPERATION_NOT_FOUND")
        await noteMeant(input, terminal, id)
      throw failure
    })
  }
}
