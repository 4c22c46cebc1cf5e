/** Fetches what a review rests on: the catalog in the open, and tokens by signed reads. */
import type { Client, PublicClient } from "../client/Client.ts"
import { ServiceProblem } from "../client/Errors.ts"
import type { Plan } from "../plans/Plan.ts"
import type { TokenFacts } from "./Amounts.ts"
import { type NamedToken, namedTokens } from "./ArgumentRows.ts"
import { type Contracts, explainCall } from "./ExplainCall.ts"

/** The protocol's ERC-20 of a project. */
const PROJECT_TOKEN = "@bananapus/core-v6:src/JBERC20.sol:JBERC20"
const MAXIMUM_DECIMALS = 255

const absent = (failure: unknown): undefined => {
  if (failure instanceof ServiceProblem && failure.code === "CONTRACT_NOT_FOUND") return undefined
  throw failure
}

export const contractsOf = async (catalog: PublicClient["catalog"], { calls }: Plan): Promise<Contracts> => {
  const ids = [...new Set(calls.map(({ decoded }) => decoded.contractId))]
  const found = await Promise.all(ids.map(id => catalog.contract(id).catch(absent)))
  return new Map(found.flatMap(contract => (contract === undefined ? [] : [[contract.id, contract]])))
}

export const tokensOf = (contracts: Contracts, { calls }: Plan): ReadonlyArray<NamedToken> => {
  const named = calls.flatMap(call => namedTokens(explainCall(contracts, call)))
  return [...new Map(named.map(token => [token.key, token])).values()]
}

type Reader = Pick<Client["contracts"], "read">

const readAt = async (reader: Reader, { chainId, address, projectId }: NamedToken, name: string) => {
  const read = { chainId, contractId: PROJECT_TOKEN, function: `${name}()`, args: [] }
  const answer = await reader.read(projectId === undefined ? { ...read, address } : { ...read, projectId })
  const same = answer.address.toLowerCase() === address.toLowerCase()
  return same ? answer.outputs[0]?.value : undefined
}

const decimalsOf = (value: unknown): number | undefined => {
  const decimals = typeof value === "string" && /^[0-9]{1,3}$/.test(value) ? Number(value) : Number.NaN
  return decimals <= MAXIMUM_DECIMALS ? decimals : undefined
}

/** Undefined where the service cannot prove the token, so that nothing about it is taken on trust. */
export const readToken = async (reader: Reader, token: NamedToken): Promise<TokenFacts | undefined> => {
  try {
    const decimals = decimalsOf(await readAt(reader, token, "decimals"))
    if (decimals === undefined) return undefined
    const symbol = await readAt(reader, token, "symbol")
    return typeof symbol === "string" ? { decimals, symbol } : undefined
  } catch (failure) {
    if (failure instanceof ServiceProblem && failure.problem.status < 500) return undefined
    throw failure
  }
}
