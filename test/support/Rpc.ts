/** One call of a node over HTTP, which has to succeed. */
import { assert } from "vitest"

export const rpc = async (url: string, method: string, params: ReadonlyArray<unknown> = []) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  const { result, error } = await answer.json()
  assert.isUndefined(error, JSON.stringify(error))
  return result
}
