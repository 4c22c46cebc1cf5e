/** A node that keeps the state of its youngest blocks alone, as most do that are no archive. */
import type { RecordingProxy } from "./RecordingProxy.ts"
import { rpc } from "./Rpc.ts"

interface ForgetfulNode {
  readonly chain: { readonly url: string }
  readonly proxy: RecordingProxy
}

const KEPT = 8

/** Reads of those blocks that are old by now; until the faults are cleared. */
export const forgetStates = async ({ chain, proxy }: ForgetfulNode): Promise<void> => {
  const head = Number(await rpc(chain.url, "eth_blockNumber", []))
  const numbers = Array.from({ length: Math.max(0, head - KEPT) }, (_, number) => `0x${number.toString(16)}`)
  const blocks = await Promise.all(
    numbers.map(number => rpc(chain.url, "eth_getBlockByNumber", [number, false]))
  )
  const old = new Set(blocks.map(block => Reflect.get(Object(block), "hash")))
  proxy.fault({
    method: "eth_call",
    phase: "after",
    times: 1_000,
    act: {
      kind: "rewrite",
      rewrite: ({ method, params }) => {
        const pinned = params.map(param => Reflect.get(Object(param), "blockHash"))
        if (!pinned.some(hash => old.has(hash))) return undefined
        return method === "eth_call" ? "0x" : null
      }
    }
  })
}
