import type { ReadResult } from "../../protocol/ProtocolSchemas.ts"
import type { Command } from "../Command.ts"
import { chainFlag, chainOf, connect, signedFlags } from "../Connection.ts"
import { argumentsFrom } from "../Json.ts"
import { contractIdOf, methodOf } from "../Lookup.ts"
import { facts, indented, isoSeconds } from "../Table.ts"
import { namedValues } from "../Values.ts"

const evidenceOf = ({ evidence, address, contractId, chainId, provenance }: ReadResult): string => {
  const [block] = evidence
  return facts([
    ["contract", contractId],
    ["address", `${address} on chain ${chainId}`],
    [
      "code",
      provenance.runtimeVerified ? "is the pinned code" : (provenance.verificationGap ?? "not verified")
    ],
    ["block", `${block.blockNumber} ${block.blockHash}`],
    ["block time", isoSeconds(Number(block.timestamp))]
  ])
}

export const read: Command = {
  name: "read",
  takes: "<contract> <function> [<arguments>]",
  summary: "Read a contract at one canonical block.",
  details: `The function is a full canonical signature, or a name that only one read function has. Arguments are a JSON array; integers are decimal strings: '["2"]'.`,
  flags: [
    ...signedFlags,
    chainFlag,
    { name: "contract-address", value: "<address>", help: "Which deployment, where there are several." },
    { name: "project", value: "<id>", help: "Only the deployment that this project uses." },
    { name: "block", value: "<number>", help: "At this block instead of the latest." }
  ],
  run: async (input, terminal) => {
    const args = argumentsFrom(input.word(2))
    const { client, capabilities } = await connect(input, terminal)
    const detail = await client.catalog.contract(await contractIdOf(client.catalog, input.needed(0)))
    const method = methodOf(detail, input.needed(1), "read")
    const result = await client.contracts.read({
      chainId: chainOf(input, capabilities),
      contractId: detail.id,
      address: input.address("contract-address"),
      projectId: input.value("project"),
      blockNumber: input.value("block"),
      function: method.signature,
      args
    })
    const values = result.outputs.map(({ value }) => value)
    const text = `${method.signature}\n${indented(namedValues(method.outputs, values))}\n${evidenceOf(result)}`
    return { json: result, text }
  }
}
