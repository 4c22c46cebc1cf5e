/** What a planned call does, read from its own bytes with the catalog's ABI, not from what the plan says of them. */
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import type { MethodRecord } from "../catalog/CatalogSchemas.ts"
import type { PublicClient } from "../client/Client.ts"
import type { Call, Plan } from "../plans/Plan.ts"

export interface CallInWords {
  readonly call: Call
  readonly contract: string
  /** Absent where the catalog has no ABI for the bytes. */
  readonly method: MethodRecord | undefined
  readonly values: ReadonlyArray<unknown>
  /** The bytes are exactly the encoding of this function with these values. */
  readonly exact: boolean
}

type Details = ReadonlyMap<string, Awaited<ReturnType<PublicClient["catalog"]["contract"]>>>

const detailsOf = async (catalog: PublicClient["catalog"], { calls }: Plan): Promise<Details> => {
  const ids = [...new Set(calls.map(({ decoded }) => decoded.contractId))]
  return new Map(await Promise.all(ids.map(async id => [id, await catalog.contract(id)] as const)))
}

const decodedBy = (method: MethodRecord, call: Call): Pick<CallInWords, "values" | "exact"> => {
  try {
    const values: ReadonlyArray<unknown> = decodeAbiParameters(method.inputs, `0x${call.data.slice(10)}`)
    const again = encodeAbiParameters(method.inputs, values)
    return { values, exact: again.slice(2) === call.data.slice(10) }
  } catch {
    return { values: [], exact: false }
  }
}

const inWords = (details: Details, call: Call): CallInWords => {
  const detail = details.get(call.decoded.contractId)
  const variant = detail?.variants.find(({ abiHash }) => abiHash === call.decoded.abiHash)
  const method = variant?.methods.find(({ selector }) => selector === call.data.slice(0, 10))
  const contract = detail?.name ?? call.decoded.contractId
  if (method === undefined) return { call, contract, method, values: [], exact: false }
  return { call, contract, method, ...decodedBy(method, call) }
}

export const callsInWords = async (
  catalog: PublicClient["catalog"],
  plan: Plan
): Promise<ReadonlyArray<CallInWords>> => {
  const details = await detailsOf(catalog, plan)
  return plan.calls.map(call => inWords(details, call))
}
