/** Whether a chain's bundlers are there: asked for their chain, one says it. */
import { Effect, Redacted } from "effect"
import type { OperationSettings } from "../settings/operations.ts"

type Bundlers = OperationSettings["bundlers"][number]

const QUESTION = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })
/** More than any chain's id with all around it. */
const MAXIMUM_BYTES = 4_096

/** What a bundler adds without end is not heard. */
const beginning = async (answer: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > MAXIMUM_BYTES) break
  }
  return text
}

const serves = (url: string, chainId: number): Effect.Effect<boolean> =>
  Effect.tryPromise(async signal => {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body: QUESTION, redirect: "manual", signal })
    const { result } = Object(JSON.parse(await beginning(answer)))
    return typeof result === "string" && Number(result) === chainId
  }).pipe(Effect.orElseSucceed(() => false))

/** Nothing is sent by asking, as often as it may be. */
export const bundlerAnswers = ({ chainId, urls }: Bundlers): Effect.Effect<boolean> =>
  Effect.map(
    Effect.forEach(urls, url => serves(Redacted.value(url), chainId), { concurrency: "unbounded" }),
    found => found.includes(true)
  )
