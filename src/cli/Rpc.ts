/** A JSON-RPC node that the person at the command line named: one call, one answer, no retries. */
import { parsedUrl } from "../values/ParsedUrl.ts"
import { withoutCredentials } from "../values/UrlCredentials.ts"
import { CliFailure, ExitCode, usageFailure } from "./Failure.ts"

const DEADLINE_MILLIS = 10_000

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

type RpcReply = { readonly result: unknown } | { readonly error: RpcError }

export interface Rpc {
  /** Rejects only when the node is not reached or does not speak JSON-RPC. */
  readonly ask: (method: string, params?: ReadonlyArray<unknown>) => Promise<RpcReply>
  /** Rejects with the node's refusal too. */
  readonly call: (method: string, params?: ReadonlyArray<unknown>) => Promise<unknown>
  /** The bare answer to any JSON-RPC body, such as a batch. */
  readonly post: (body: unknown) => Promise<unknown>
}

const isError = (value: unknown): value is RpcError =>
  typeof value === "object" && value !== null && "code" in value && "message" in value

const replyOf = (answer: unknown): RpcReply | undefined => {
  if (typeof answer !== "object" || answer === null) return undefined
  if ("error" in answer && isError(answer.error)) return { error: answer.error }
  return "result" in answer ? { result: answer.result } : undefined
}

export const nodeRefusal = (method: string, { code, message }: RpcError): CliFailure =>
  new CliFailure(
    ExitCode.refused,
    `The node refused ${method}: ${code} ${message}`,
    "Check the node with service doctor --rpc."
  )

/** `variable` names the URL where no flag does. */
export const rpcAt = (url: string, variable?: string): Rpc => {
  const advice =
    variable === undefined
      ? "Check --rpc and that the node runs."
      : `${variable} names it: correct it, or unset it so that the node of the service that runs in this folder is found.`
  const unreachable = (origin: string, reason: string) =>
    new CliFailure(ExitCode.network, `The node at ${origin} ${reason}.`, advice)

  const parsed = parsedUrl(url)
  if (parsed === undefined || !/^https?:/.test(url))
    throw usageFailure(`"${url}" is no http or https URL.`, "Give --rpc <URL>.")
  const { origin } = parsed
  const place = withoutCredentials(parsed)
  const post = async (body: unknown): Promise<unknown> => {
    const response = await fetch(place.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...place.headers },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(DEADLINE_MILLIS)
    }).catch(() => {
      throw unreachable(origin, "was not reached")
    })
    return response.json().catch(() => {
      throw unreachable(origin, `answered ${response.status} without JSON`)
    })
  }
  const ask = async (method: string, params: ReadonlyArray<unknown> = []): Promise<RpcReply> => {
    const reply = replyOf(await post({ jsonrpc: "2.0", id: 1, method, params }))
    if (reply === undefined) throw unreachable(origin, "does not speak JSON-RPC")
    return reply
  }
  const call = async (method: string, params: ReadonlyArray<unknown> = []): Promise<unknown> => {
    const reply = await ask(method, params)
    if ("result" in reply) return reply.result
    throw nodeRefusal(method, reply.error)
  }
  return { ask, call, post }
}
