/** What the real guard answers to a case, and what it keeps of it, in one simulation of a node's. */
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  numberToHex
} from "viem"
import { assert } from "vitest"
import type { Address } from "../../../src/values/Scalars.ts"
import { guardAbi } from "../../sessions/support/Abis.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { rpc } from "../../support/Rpc.ts"
import type { Case, Step } from "./Cases.ts"

export interface Answers {
  /** One a step: `done`, `rule n`, or what a validation returns. */
  readonly said: ReadonlyArray<string>
  /** All that is kept, as text. */
  readonly kept: string
}

const GAS = "0x989680"

const dataOf = (step: Step): Hex => {
  switch (step.does) {
    case "install":
      return encodeFunctionData({ abi: guardAbi, functionName: "onInstall", args: [step.data] })
    case "uninstall":
      return encodeFunctionData({ abi: guardAbi, functionName: "onUninstall", args: [step.data] })
    case "enable":
      return encodeFunctionData({ abi: guardAbi, functionName: "enable", args: [step.nonce, step.encoded] })
    case "revoke":
      return encodeFunctionData({ abi: guardAbi, functionName: "revoke", args: [step.permissionId] })
    case "validate":
      return encodeFunctionData({
        abi: guardAbi,
        functionName: "validateUserOp",
        args: [step.operation, step.operationHash]
      })
  }
}

const callerOf = (step: Step, account: Address): Address => (step.does === "validate" ? step.caller : account)

const call = (from: Address, input: Hex) => ({ from, to: GUARD, input, gas: GAS })

const reads = ({ permissionIds, place: { account } }: Case) => [
  ...permissionIds.map(id =>
    encodeFunctionData({ abi: guardAbi, functionName: "stateOf", args: [id, account] })
  ),
  encodeFunctionData({ abi: guardAbi, functionName: "administrationOf", args: [account] })
]

const blocksOf = (one: Case, at: number) =>
  one.phases.map(({ codes, steps }, phase) => ({
    blockOverrides: { time: numberToHex(at + phase), gasLimit: "0xffffffffff" },
    stateOverrides: {
      ...Object.fromEntries([...codes].map(([address, code]) => [address, { code }])),
      ...(phase === 0 && { [one.place.person]: { balance: "0x1" } })
    },
    calls: [
      ...steps.map(step => call(callerOf(step, one.place.account), dataOf(step))),
      ...(phase === one.phases.length - 1 ? reads(one).map(data => call(one.place.account, data)) : [])
    ]
  }))

interface Simulated {
  readonly status: Hex
  readonly returnData: Hex
  readonly error?: { readonly data?: Hex; readonly message: string }
}

const refusal = ({ returnData, error }: Simulated): string => {
  const data = isHex(error?.data) && error.data !== "0x" ? error.data : returnData
  assert.isAbove(data.length, 2, error?.message)
  return `rule ${decodeErrorResult({ abi: guardAbi, data }).args[0]}`
}

const TIME = (1n << 48n) - 1n

const saidOf = (step: Step, answer: Simulated): string => {
  if (answer.status !== "0x1") return refusal(answer)
  if (step.does !== "validate") return "done"
  const value = BigInt(answer.returnData)
  const failed = value & ((1n << 160n) - 1n)
  return `${failed === 0n ? "signed" : `failed ${failed}`} ${value >> 208n} ${(value >> 160n) & TIME}`
}

export const keptAs = (state: unknown): string =>
  JSON.stringify(state, (_, value) => (typeof value === "bigint" ? String(value) : value))

const keptOf = (answers: ReadonlyArray<Simulated>): string => {
  const states = answers
    .slice(0, -1)
    .map(({ returnData: data }) => decodeFunctionResult({ abi: guardAbi, functionName: "stateOf", data }))
  const { returnData: data } = answers.at(-1) ?? assert.fail("nothing read")
  return keptAs([...states, decodeFunctionResult({ abi: guardAbi, functionName: "administrationOf", data })])
}

/** Each case in blocks of its own, at the time that it is made for. */
export const onChain = async (url: string, cases: ReadonlyArray<Case>): Promise<ReadonlyArray<Answers>> => {
  const blockStateCalls = cases.flatMap(one => blocksOf(one, one.place.now))
  const blocks: ReadonlyArray<{ readonly calls: ReadonlyArray<Simulated> }> = await rpc(
    url,
    "eth_simulateV1",
    [{ blockStateCalls, validation: false, traceTransfers: false }, "latest"]
  )
  let next = 0
  return cases.map(one => {
    const own = blocks.slice(next, next + one.phases.length).flatMap(({ calls }) => calls)
    next += one.phases.length
    const steps = one.phases.flatMap(phase => phase.steps)
    return {
      said: steps.map((step, index) => saidOf(step, own[index] ?? assert.fail("not answered"))),
      kept: keptOf(own.slice(steps.length))
    }
  })
}
