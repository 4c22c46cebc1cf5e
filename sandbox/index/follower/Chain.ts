/** What the follower reads of the local chain; questions that are asked at once travel as one batch. */
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  zeroAddress
} from "viem"

export interface Head {
  readonly number: bigint
  readonly hash: Hex
  readonly timestamp: bigint
}

export interface Block extends Head {
  /** By the hash of the transaction. */
  readonly senders: ReadonlyMap<Hex, Address>
}

export interface Log {
  readonly address: Address
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  readonly blockNumber: bigint
  readonly transactionHash: Hex
  readonly logIndex: number
}

export interface ProjectState {
  readonly owner: Address
  readonly uri: string
  readonly contexts: ReadonlyArray<{
    readonly token: Address
    readonly decimals: number
    readonly currency: number
  }>
  /** Of the first token that the project accepts. */
  readonly balance: bigint
  readonly symbol: string | null
  /** The project's own, or the zero address. */
  readonly token: Address
  readonly tokenSupply: bigint
  readonly reservedTokenSupply: bigint
}

export interface HolderState {
  readonly creditBalance: bigint
  readonly erc20Balance: bigint
}

export interface RulesetState {
  readonly cycleNumber: number
  readonly basedOnId: number
  readonly start: number
}

export interface SuckerState {
  readonly peer: Hex
  readonly peerChainId: bigint
}

/** What the sandbox deployed where, by name. */
export type Addresses = Readonly<Record<string, Address>>

const abi = parseAbi([
  "struct Context { address token; uint8 decimals; uint32 currency; }",
  "struct Ruleset { uint48 cycleNumber; uint48 id; uint48 basedOnId; uint48 start; uint32 duration; uint112 weight; uint32 weightCutPercent; address approvalHook; uint256 metadata; }",
  "function ownerOf(uint256 projectId) view returns (address)",
  "function uriOf(uint256 projectId) view returns (string)",
  "function accountingContextsOf(uint256 projectId) view returns (Context[])",
  "function tokenOf(uint256 projectId) view returns (address)",
  "function projectIdOf(address token) view returns (uint256)",
  "function totalSupplyOf(uint256 projectId) view returns (uint256)",
  "function pendingReservedTokenBalanceOf(uint256 projectId) view returns (uint256)",
  "function creditBalanceOf(address holder, uint256 projectId) view returns (uint256)",
  "function balanceOf(address terminal, uint256 projectId, address token) view returns (uint256)",
  "function getRulesetOf(uint256 projectId, uint256 rulesetId) view returns (Ruleset)"
])

const sucker = parseAbi([
  "function peer() view returns (bytes32)",
  "function peerChainId() view returns (uint256)"
])

const erc20 = parseAbi([
  "function balanceOf(address holder) view returns (uint256)",
  "function symbol() view returns (string)"
])

const NATIVE_TOKEN = "0x000000000000000000000000000000000000eeee"
const DEADLINE_MILLIS = 10_000

export const chainClient = (url: string): PublicClient =>
  createPublicClient({ transport: http(url, { batch: true, retryCount: 0, timeout: DEADLINE_MILLIS }) })

export const headOf = async (client: PublicClient): Promise<Head> => {
  const { number, hash, timestamp } = await client.getBlock({ blockTag: "latest" })
  return { number, hash, timestamp }
}

export const blockAt = async (client: PublicClient, blockNumber: bigint): Promise<Block> => {
  const { number, hash, timestamp, transactions } = await client.getBlock({
    blockNumber,
    includeTransactions: true
  })
  return { number, hash, timestamp, senders: new Map(transactions.map(({ hash, from }) => [hash, from])) }
}

export const logsBetween = (
  client: PublicClient,
  fromBlock: bigint,
  toBlock: bigint
): Promise<ReadonlyArray<Log>> => client.getLogs({ fromBlock, toBlock })

const named = (addresses: Addresses, name: string): Address => {
  const address = addresses[name]
  if (address === undefined) throw new Error(`Nobody deployed ${name}.`)
  return address
}

export interface Views {
  /** Nothing where a contract refuses to say, as for a project that is none. */
  readonly project: (projectId: bigint) => Promise<ProjectState | undefined>
  /** Nothing where the token refuses to say. */
  readonly holder: (projectId: bigint, token: Address, holder: Address) => Promise<HolderState | undefined>
  readonly ruleset: (projectId: bigint, rulesetId: bigint) => Promise<RulesetState>
  /** Zero for what is no project's token. */
  readonly projectOfToken: (token: Address) => Promise<bigint>
  /** Nothing where it does not answer as one. */
  readonly sucker: (address: Address) => Promise<SuckerState | undefined>
}

const unlessReverted = <A>(answer: Promise<A>): Promise<A | undefined> =>
  answer.catch(cause => {
    const isRevert = (error: unknown) => error instanceof ContractFunctionRevertedError
    if (cause instanceof BaseError && cause.walk(isRevert) !== null) return undefined
    throw cause
  })

/** Anybody may emit what suckers emit. */
const suckerAt = async (client: PublicClient, address: Address): Promise<SuckerState | undefined> => {
  const on = { abi: sucker, address } as const
  const [peer, peerChainId] = await Promise.allSettled([
    client.readContract({ ...on, functionName: "peer" }),
    client.readContract({ ...on, functionName: "peerChainId" })
  ])
  return peer.status === "fulfilled" && peerChainId.status === "fulfilled"
    ? { peer: peer.value, peerChainId: peerChainId.value }
    : undefined
}

/** The state right after the block. */
export const viewsAt = (client: PublicClient, addresses: Addresses, blockNumber: bigint): Views => {
  const on = (name: string) => ({ abi, address: named(addresses, name), blockNumber })
  const balanceOf = (projectId: bigint, token: Address) =>
    client.readContract({
      ...on("JBTerminalStore"),
      functionName: "balanceOf",
      args: [named(addresses, "JBMultiTerminal"), projectId, token]
    })
  const symbolOf = (token: Address): Promise<string | null> =>
    token.toLowerCase() === NATIVE_TOKEN
      ? Promise.resolve("ETH")
      : client
          .readContract({ abi: erc20, address: token, functionName: "symbol", blockNumber })
          .catch(() => null)
  const projectOf = async (projectId: bigint): Promise<ProjectState> => {
    const args = [projectId] as const
    const [owner, uri, contexts, token, tokenSupply, reservedTokenSupply] = await Promise.all([
      client.readContract({ ...on("JBProjects"), functionName: "ownerOf", args }),
      client.readContract({ ...on("JBController"), functionName: "uriOf", args }),
      client.readContract({ ...on("JBMultiTerminal"), functionName: "accountingContextsOf", args }),
      client.readContract({ ...on("JBTokens"), functionName: "tokenOf", args }),
      client.readContract({ ...on("JBTokens"), functionName: "totalSupplyOf", args }),
      client.readContract({ ...on("JBController"), functionName: "pendingReservedTokenBalanceOf", args })
    ])
    const accepted = contexts[0]?.token
    const [balance, symbol] =
      accepted === undefined
        ? [0n, null]
        : await Promise.all([balanceOf(projectId, accepted), symbolOf(accepted)])
    return { owner, uri, contexts, balance, symbol, token, tokenSupply, reservedTokenSupply }
  }
  const holderOf = async (projectId: bigint, token: Address, holder: Address): Promise<HolderState> => {
    const [creditBalance, erc20Balance] = await Promise.all([
      client.readContract({
        ...on("JBTokens"),
        functionName: "creditBalanceOf",
        args: [holder, projectId]
      }),
      token === zeroAddress
        ? 0n
        : client.readContract({
            abi: erc20,
            address: token,
            functionName: "balanceOf",
            args: [holder],
            blockNumber
          })
    ])
    return { creditBalance, erc20Balance }
  }
  return {
    project: projectId => unlessReverted(projectOf(projectId)),
    holder: (projectId, token, holder) => unlessReverted(holderOf(projectId, token, holder)),
    ruleset: (projectId, rulesetId) =>
      client.readContract({
        ...on("JBRulesets"),
        functionName: "getRulesetOf",
        args: [projectId, rulesetId]
      }),
    sucker: address => suckerAt(client, address),
    projectOfToken: token =>
      client.readContract({ ...on("JBTokens"), functionName: "projectIdOf", args: [token] })
  }
}
