import type { Read } from "./ChainClient.ts"
import { isLimiting } from "./JsonRpc.ts"
import { RpcUnavailable } from "./refusals.ts"

/** The node is there and answered this read with an error. */
export class NodeRefusal extends RpcUnavailable {
  readonly read: Read<unknown>
  readonly code: number
  constructor(read: Read<unknown>, code: number) {
    super()
    this.read = read
    this.code = code
  }
}

/** That it cannot answer one question says nothing of what else the node serves. */
export const isOfQuestion = (failure: unknown): failure is NodeRefusal =>
  failure instanceof NodeRefusal && !isLimiting(failure.code)
