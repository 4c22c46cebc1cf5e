/** Fetches what a review rests on: the catalog in the open, clones and tokens by signed reads. */
import type { Client, PublicClient } from "../client/Client.ts"
import { ServiceProblem } from "../client/Errors.ts"
import { addressOf } from "../client/SignRequest.ts"
import type { Plan } from "../plans/Plan.ts"
import type { Address } from "../values/Scalars.ts"
import { PROJECT_DECIMALS, type TokenFacts, tokenKey } from "./Amounts.ts"
import { type NamedToken, namedTokens } from "./ArgumentRows.ts"
import {
  COLLECTIONS,
  type Contracts,
  CREATING,
  cloneKey,
  explainCall,
  isClone,
  type WalletParts
} from "./ExplainCall.ts"
import { isOwnFunction, SESSION_GUARD_ID } from "./GuardCalls.ts"
import { projectTokensIn } from "./Sentence.ts"

/** The protocol's ERC-20 of a project. */
const PROJECT_TOKEN = "@bananapus/core-v6:src/JBERC20.sol:JBERC20"
/** It answers for any token with the decimals that the token says of itself. */
const ROUTER = "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal"
const MAXIMUM_DECIMALS = 255

const absent = (failure: unknown): undefined => {
  if (failure instanceof ServiceProblem && failure.code === "CONTRACT_NOT_FOUND") return undefined
  throw failure
}

const NONE_NAMED = async (): Promise<ReadonlyArray<WalletParts>> => []

type Calls = Plan["calls"]

const creating = async (calls: Calls, named: typeof NONE_NAMED): Promise<Partial<Contracts>> => {
  if (!calls.some(({ data }) => data.startsWith(CREATING))) return {}
  const { createdWalletOf } = await import("./CreatedWallet.ts")
  return { createdWallet: createdWalletOf(await named()) }
}

/** With the contracts that a session's key may be let pay and administer by. */
const enabling = async (
  ids: ReadonlyArray<string>
): Promise<Pick<Contracts, "enabledBy"> & { readonly targets: ReadonlyArray<string> }> => {
  if (!ids.includes(SESSION_GUARD_ID)) return { targets: [] }
  const { enabledBy, PAID_AND_ADMINISTERED } = await import("./EnabledPolicy.ts")
  return { enabledBy, targets: PAID_AND_ADMINISTERED }
}

/** `named` is asked for the manifests' wallets where a call creates one. */
export const contractsOf = async (
  catalog: Pick<PublicClient["catalog"], "contract">,
  { calls }: Pick<Plan, "calls">,
  named = NONE_NAMED
): Promise<Contracts> => {
  const called = calls.map(({ decoded }) => decoded.contractId)
  const guards = called.some(id => isOwnFunction({ id })) ? [SESSION_GUARD_ID] : []
  const collections = called.includes(PROJECT_TOKEN) ? COLLECTIONS : []
  const { targets, ...policies } = await enabling([...called, ...guards])
  const ids = [...new Set([...called, ...guards, ...collections, ...targets])]
  const found = await Promise.all(ids.map(id => catalog.contract(id).catch(absent)))
  const known = new Map(found.flatMap(contract => (contract === undefined ? [] : [[contract.id, contract]])))
  const get = (id: string) => known.get(id)
  return { get, ...(await creating(calls, named)), ...policies }
}

export const tokensOf = (contracts: Contracts, { calls }: Plan): ReadonlyArray<NamedToken> => {
  const named = calls.flatMap(call => namedTokens(explainCall(contracts, call)))
  return [...new Map(named.map(token => [token.key, token])).values()]
}

export const projectTokensOf = (contracts: Contracts, { calls }: Plan): ReadonlyArray<NamedToken> =>
  projectTokensIn(calls.map(call => explainCall(contracts, call)))

/** A call to an address that the catalog cannot publish, since a factory made it. */
export interface Clone {
  readonly key: string
  readonly chainId: number
  readonly contractId: string
  readonly address: Address
}

export const clonesOf = (contracts: Contracts, { calls }: Plan): ReadonlyArray<Clone> => {
  const found = calls
    .map(call => explainCall(contracts, call))
    .filter(isClone)
    .map(({ call }) => ({
      key: cloneKey(call),
      chainId: call.chainId,
      contractId: call.decoded.contractId,
      address: addressOf(call.to)
    }))
  return [...new Map(found.map(clone => [clone.key, clone])).values()]
}

const UNPROVED = 422

type Resolver = Pick<Client["contracts"], "resolve">

/** Whether the service proves on chain, now, that the address is a clone of the contract. */
export const proveClone = async (
  resolver: Resolver,
  { chainId, contractId, address }: Clone
): Promise<boolean> => {
  try {
    const proved = await resolver.resolve({ chainId, contractId, address })
    return proved.address.toLowerCase() === address.toLowerCase()
  } catch (failure) {
    if (failure instanceof ServiceProblem && failure.problem.status === UNPROVED) return false
    throw failure
  }
}

type Reader = Pick<Client["contracts"], "read">

const readAt = async (reader: Reader, { chainId, address, projectId }: NamedToken, name: string) => {
  const read = { chainId, contractId: PROJECT_TOKEN, function: `${name}()`, args: [] }
  const place =
    projectId === undefined && address !== undefined ? { address } : { projectId: projectId ?? "" }
  const answer = await reader.read({ ...read, ...place })
  const same = answer.address.toLowerCase() === (address ?? answer.address).toLowerCase()
  return { value: same ? answer.outputs[0]?.value : undefined, place: tokenKey(chainId, answer.address) }
}

const ofProject = async (reader: Reader, token: NamedToken): Promise<TokenFacts | undefined> => {
  const { value: symbol, place } = await readAt(reader, token, "symbol")
  const { value: name } = await readAt(reader, token, "name")
  return typeof symbol === "string" && typeof name === "string"
    ? { decimals: PROJECT_DECIMALS, symbol, name, place }
    : undefined
}

const decimalsOf = (value: unknown): number | undefined => {
  const decimals = typeof value === "string" && /^[0-9]{1,3}$/.test(value) ? Number(value) : Number.NaN
  return decimals <= MAXIMUM_DECIMALS ? decimals : undefined
}

const proved = async (reader: Reader, token: NamedToken): Promise<TokenFacts | undefined> => {
  const decimals = decimalsOf((await readAt(reader, token, "decimals")).value)
  if (decimals === undefined) return undefined
  const { value: symbol } = await readAt(reader, token, "symbol")
  return typeof symbol === "string" ? { decimals, symbol } : undefined
}

const ofItself = async (
  reader: Reader,
  { chainId, address }: NamedToken
): Promise<TokenFacts | undefined> => {
  const { outputs } = await reader.read({
    chainId,
    contractId: ROUTER,
    function: "accountingContextForTokenOf(uint256,address)",
    args: ["0", address ?? ""]
  })
  const context = Object(outputs[0]?.value)
  if (String(context.token).toLowerCase() !== address?.toLowerCase()) return undefined
  const decimals = decimalsOf(context.decimals)
  return decimals === undefined ? undefined : { decimals }
}

/** Undefined where the service refuses; an outage is an outage. */
const unlessRefused = async (asked: Promise<TokenFacts | undefined>): Promise<TokenFacts | undefined> => {
  try {
    return await asked
  } catch (failure) {
    if (failure instanceof ServiceProblem && failure.problem.status < 500) return undefined
    throw failure
  }
}

/** Undefined where neither the service can prove the token nor the token says its decimals. */
export const readToken = async (reader: Reader, token: NamedToken): Promise<TokenFacts | undefined> =>
  token.address === undefined
    ? unlessRefused(ofProject(reader, token))
    : ((await unlessRefused(proved(reader, token))) ?? (await unlessRefused(ofItself(reader, token))))
