/** The few JSON-RPC calls that tend the embedded chain. */
import { gunzipSync } from "node:zlib"
import { Data, Effect, Schema } from "effect"

export class ChainCallFailed extends Data.TaggedError("ChainCallFailed")<{ readonly method: string }> {}

const Answer = Schema.parseJson(Schema.Struct({ result: Schema.String }))

const Quantity = Schema.decode(Schema.NumberFromString)

const call = (url: string, method: string) =>
  Effect.tryPromise({
    try: async signal => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
        signal
      })
      return Schema.decodeSync(Answer)(await response.text()).result
    },
    catch: () => new ChainCallFailed({ method })
  }).pipe(Effect.timeoutFail({ duration: "5 seconds", onTimeout: () => new ChainCallFailed({ method }) }))

export const headNumber = (url: string): Effect.Effect<number, ChainCallFailed> =>
  call(url, "eth_blockNumber").pipe(
    Effect.flatMap(Quantity),
    Effect.catchTag("ParseError", () => new ChainCallFailed({ method: "eth_blockNumber" }))
  )

export const mineBlock = (url: string): Effect.Effect<void, ChainCallFailed> =>
  Effect.asVoid(call(url, "evm_mine"))

/** The chain's whole state as the text of a state file. */
export const dumpState = (url: string): Effect.Effect<string, ChainCallFailed> =>
  call(url, "anvil_dumpState").pipe(
    Effect.map(hex => gunzipSync(Buffer.from(hex.slice("0x".length), "hex")).toString("utf8"))
  )
