import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { textFile } from "../Json.ts"

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]

export const request: Command = {
  name: "request",
  takes: "<method> <target>",
  least: 2,
  most: 2,
  summary: "Send a signed request to any route and print the answer's body.",
  details:
    "The target is the exact path with its query, percent-encoded, such as /api/v1/accounts/me. With --json: {status, headers, body}.",
  flags: [
    ...signedFlags,
    { name: "body", value: "<text>", help: "Sent exactly as given." },
    { name: "body-file", value: "<file>", help: "Sent exactly as the file has it." },
    { name: "content-type", value: "<type>", help: "application/json by default where there is a body." },
    { name: "idempotency-key", value: "<key>", help: "Signed; needed to prepare plans and to submit." }
  ],
  run: async (input, terminal) => {
    const method = input.needed(0).toUpperCase()
    if (!METHODS.includes(method)) input.fail(`"${method}" is none of ${METHODS.join(", ")}.`)
    const { client } = await connect(input, terminal)
    const file = input.value("body-file")
    const { status, headers, body } = await client.request(method, input.needed(1), {
      body: file === undefined ? input.value("body") : await textFile(file),
      contentType: input.value("content-type"),
      idempotencyKey: input.value("idempotency-key")
    })
    return {
      json: { status, headers: Object.fromEntries(headers), body },
      text: JSON.stringify(body, null, 2)
    }
  }
}
