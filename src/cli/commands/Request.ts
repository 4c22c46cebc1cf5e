import { NetworkFailure, UnexpectedAnswer } from "../../client/Errors.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { CliFailure, ExitCode } from "../Failure.ts"
import { textFile } from "../Json.ts"

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Nothing is known here of what a repeat of this route would do. */
const uncertain = ({ message }: NetworkFailure | UnexpectedAnswer) =>
  new CliFailure(
    ExitCode.unknown,
    message,
    "The service may have acted on it: look before sending it again, with the same --idempotency-key if it had one."
  )

export const request: Command = {
  name: "request",
  takes: "<method> <target>",
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
    input.apart("body", "body-file")
    const { client } = await connect(input, terminal)
    const file = input.value("body-file")
    const text = file === undefined ? input.value("body") : await textFile(file)
    const idempotencyKey = input.value("idempotency-key")
    const { status, headers, body } = await client
      .request(method, input.needed(1), {
        body: text,
        contentType: input.value("content-type"),
        idempotencyKey
      })
      .catch((failure: unknown) => {
        const isUnanswered = failure instanceof NetworkFailure || failure instanceof UnexpectedAnswer
        throw isUnanswered && method !== "GET" ? uncertain(failure) : failure
      })
    return {
      json: { status, headers: Object.fromEntries(headers), body },
      text: JSON.stringify(body, null, 2)
    }
  }
}
