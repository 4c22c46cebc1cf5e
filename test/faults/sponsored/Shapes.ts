/** The shapes in which anybody can have a published request executed. */
import { encodeFunctionData, type Hex, toHex } from "viem"
import { nestedCaller, nestedData } from "../../../sandbox/provider/NestedCaller.ts"
import { CREATE2_DEPLOYER, deployment } from "../../../sandbox/provider/PaymentContract.ts"
import { executeCalldata, outerGas } from "../../../src/values/ForwardRequest.ts"
import { forwarderAbi } from "../../sandbox/support/Forwarding.ts"
import { rpc } from "../../support/Rpc.ts"
import type { Ready } from "./Stand.ts"

export const SHAPES = ["direct", "batched", "traced"] as const

export type Shape = (typeof SHAPES)[number]

/** Of the development accounts, whose keys the node has. */
const ANYBODY = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"

export interface Carrying {
  readonly from: string
  readonly to: string
  readonly data: Hex
  readonly value: Hex
  readonly gas: Hex
}

const firstOf = ({ sponsorship, signatures }: Ready) => {
  const [authorization] = sponsorship.authorizations
  const [signature] = signatures
  if (authorization === undefined || signature === undefined) throw new Error("nothing was signed")
  return { ...authorization, signature }
}

const batchOf = (ready: Ready): Hex => {
  const { message, signature } = firstOf(ready)
  const { from, to, data } = message
  const request = {
    ...{ from, to, data },
    value: BigInt(message.value),
    gas: BigInt(message.gas),
    deadline: Number(message.deadline),
    signature: toHex(Buffer.from(signature.slice(2), "hex"))
  }
  return encodeFunctionData({
    abi: forwarderAbi,
    functionName: "executeBatch",
    args: [[request], ANYBODY]
  })
}

/** Its first request, in a transaction of somebody's. */
export const carrying = (ready: Ready, shape: Shape): Carrying => {
  const { forwarder, message, signature } = firstOf(ready)
  const call = executeCalldata(message, signature)
  const sent: Readonly<Record<Shape, () => readonly [string, Hex]>> = {
    direct: () => [forwarder, call],
    batched: () => [forwarder, batchOf(ready)],
    traced: () => [nestedCaller().address, nestedData(forwarder, call)]
  }
  const [to, data] = sent[shape]()
  const gas = toHex(outerGas(message) + 300_000n)
  return { from: ANYBODY, to, data, value: toHex(BigInt(message.value)), gas }
}

export const carry = (url: string, ready: Ready, shape: Shape): Promise<unknown> =>
  rpc(url, "eth_sendTransaction", [carrying(ready, shape)])

/** The contract by which requests are nested in calls of another one. */
export const placeNestedCaller = (url: string): Promise<unknown> =>
  rpc(url, "eth_sendTransaction", [
    { from: ANYBODY, to: CREATE2_DEPLOYER, data: deployment(nestedCaller()), gas: toHex(2_000_000) }
  ])
