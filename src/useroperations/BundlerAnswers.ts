/** Whether a chain's bundlers are there: asked for their chain, one says it. */
import { Effect, Redacted } from "effect"
import type { OperationSettings } from "../settings/operations.ts"
import { jsonExchange } from "../upstream/JsonExchange.ts"

type Bundlers = OperationSettings["bundlers"][number]

const QUESTION = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })
/** More than any chain's id with all around it. */
const MAXIMUM_BYTES = 4_096
/** Shorter than who asks waits. */
const DEADLINE = "1500 millis"

/** By the way that operations go. */
const serves = (url: string, chainId: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { post } = yield* jsonExchange({ url: new URL(url), maximumBytes: MAXIMUM_BYTES })
      const { result } = Object((yield* post(QUESTION)).body)
      return typeof result === "string" && Number(result) === chainId
    })
  )

/** Nothing is sent by asking, as often as it may be; who answers need not wait for who does not. */
export const bundlerAnswers = ({ chainId, urls }: Bundlers): Effect.Effect<boolean> =>
  Effect.raceAll(urls.map(url => Effect.filterOrFail(serves(Redacted.value(url), chainId), Boolean))).pipe(
    Effect.timeout(DEADLINE),
    Effect.orElseSucceed(() => false)
  )
