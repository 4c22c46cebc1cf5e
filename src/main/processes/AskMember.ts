/** A question of an operator, put to one process. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http"
import { Effect, Option } from "effect"
import type { Answer } from "../../http/Answer.ts"
import type { OpsPath } from "../../http/ops/OpsListener.ts"
import type { MemberProcess } from "./MemberProcess.ts"

const DEADLINE = "5 seconds"

const PASSED = ["content-type"]

const answerOf = (response: IncomingMessage, body: Buffer): Answer => ({
  status: response.statusCode ?? 502,
  headers: Object.fromEntries(
    PASSED.flatMap(name => {
      const value = response.headers[name]
      return typeof value === "string" ? [[name, value]] : []
    })
  ),
  body: body.toString()
})

const put = (port: number, path: OpsPath, headers: OutgoingHttpHeaders) =>
  Effect.async<Option.Option<Answer>>(resume => {
    const silent = () => resume(Effect.succeedNone)
    const asked = request({ host: "127.0.0.1", port, path, headers, agent: false })
    asked.on("error", silent)
    asked.on("response", response => {
      const chunks: Array<Buffer> = []
      response.on("error", silent)
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => resume(Effect.succeedSome(answerOf(response, Buffer.concat(chunks)))))
      response.on("aborted", silent)
    })
    asked.end()
    return Effect.sync(() => asked.destroy())
  })

/** None where it is silent. */
export const askMember = (
  member: MemberProcess,
  path: OpsPath,
  headers: OutgoingHttpHeaders
): Effect.Effect<Option.Option<Answer>> =>
  member.opsPort.pipe(
    Effect.flatMap(port => put(port, path, headers)),
    Effect.timeoutTo({ duration: DEADLINE, onSuccess: answer => answer, onTimeout: () => Option.none() })
  )
