/** What the home chain tells of a bridge beside its identity. */
import { Effect, type Schema } from "effect"
import { decodeEventLog, encodeEventTopics, parseAbi } from "viem"
import type { RawLog } from "../chain/ChainClient.ts"
import { blockByNumber, eventLogs } from "../chain/Reads.ts"
import { BlockUnavailable } from "../chain/refusals.ts"
import type { FunctionTaking } from "../protocol/ContractFunction.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { checksummed } from "../values/Checksum.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { Address, addressWord, Uint256, ZERO_ADDRESS } from "../values/Scalars.ts"
import {
  type Bridge,
  type BridgeTransport,
  Inbox,
  Outbox,
  type OutboxEvent,
  PeerAccounts,
  RemoteToken,
  type TokenState
} from "./BridgeSchemas.ts"
import { andThenObserved, mapEffect, SIDE_BY_SIDE } from "./Observations.ts"
import {
  BridgePairNotVerified,
  LogRangeRequired,
  ReadLimitExceeded,
  TransportNotIdentified,
  UpstreamInvalidResponse
} from "./refusals.ts"

const MOST_EVENTS = 500

const STATES = ["enabled", "deprecation-pending", "sending-disabled", "deprecated"] as const

const stateOf = (code: string): Bridge["state"] => {
  const name = STATES[Number(code)]
  return name === undefined
    ? unknown(new UpstreamInvalidResponse({ context: { state: code } }))
    : known({ code: Number(code), name })
}

const gettersOf = ({ readAt }: PinnedSnapshot, bridge: Address) =>
  [
    ["ccip", readAt("JBCCIPSucker", bridge, "CCIP_ROUTER", [], Address)],
    ["optimism", readAt("JBOptimismSucker", bridge, "OPMESSENGER", [], Address)],
    ["arbitrum", readAt("JBArbitrumSucker", bridge, "GATEWAYROUTER", [], Address)]
  ] as const

/** A bridge has the getter of its own transport alone; that the others fail is expected, that the node does is not. */
const isNoAnswer = ({ error }: Extract<Observed<never>, { status: "unknown" }>): boolean =>
  error.code === "CALL_REVERTED" || error.code === "DEPLOYMENT_CODE_MISSING"

const transportOf = (
  snapshot: PinnedSnapshot,
  address: Address
): Effect.Effect<Observed<BridgeTransport>> => {
  const probes = Effect.forEach(
    gettersOf(snapshot, address),
    ([kind, getter]) => Effect.map(observed(getter), told => [kind, told] as const),
    SIDE_BY_SIDE
  )
  return Effect.map(probes, found => {
    const answers = found.flatMap(([kind, told]) =>
      told.status === "known" && told.value !== ZERO_ADDRESS ? [{ kind, contract: told.value }] : []
    )
    const unread = found.flatMap(([, told]) => (told.status === "unknown" && !isNoAnswer(told) ? [told] : []))
    const [transport, ...others] = answers
    if (unread[0] !== undefined) return unread[0]
    if (transport !== undefined && others.length === 0) return known(transport)
    return unknown(new TransportNotIdentified({ context: { answers: answers.map(({ kind }) => kind) } }))
  })
}

const pairNotVerified = unknown(
  new BridgePairNotVerified({
    detail: "Whether the transport carries this pair of tokens is not told by the bridge's contracts."
  })
)

const tokenState = (snapshot: PinnedSnapshot, bridge: Address, token: Address): Effect.Effect<TokenState> => {
  const ask = <A, I>(name: FunctionTaking<"JBSucker", [Address]>, as: Schema.Schema<A, I>) =>
    observed(snapshot.readAt("JBSucker", bridge, name, [token], as))
  return Effect.all(
    {
      token: Effect.succeed(token),
      remoteToken: ask("remoteTokenFor", RemoteToken),
      outbox: ask("outboxOf", Outbox),
      inbox: ask("inboxOf", Inbox),
      amountToAddToBalance: ask("amountToAddToBalanceOf", Uint256),
      transportTokenCompatibility: Effect.succeed(pairNotVerified)
    },
    SIDE_BY_SIDE
  )
}

const outboxAbi = parseAbi([
  "event InsertToOutboxTree(bytes32 indexed beneficiary, address indexed token, bytes32 hashed, uint256 index, bytes32 root, uint256 projectTokenCount, uint256 terminalTokenAmount, bytes32 metadata, address caller)"
])

export interface LogRange {
  readonly holder: Address
  readonly from: bigint
  readonly to: bigint
}

const eventOf = (log: RawLog): OutboxEvent | undefined => {
  const [signature, ...indexed] = log.topics
  if (signature === undefined) return undefined
  try {
    const { args } = decodeEventLog({
      abi: outboxAbi,
      data: log.data,
      topics: [signature, ...indexed],
      strict: true
    })
    return {
      ...args,
      blockNumber: BigInt(log.blockNumber).toString(),
      transactionHash: log.transactionHash,
      logIndex: Number(log.logIndex),
      token: checksummed(args.token.toLowerCase()),
      caller: checksummed(args.caller.toLowerCase()),
      index: args.index.toString(),
      projectTokenCount: args.projectTokenCount.toString(),
      terminalTokenAmount: args.terminalTokenAmount.toString()
    }
  } catch {
    return undefined
  }
}

const eventsOf = (logs: ReadonlyArray<RawLog> | undefined): Bridge["outboxEvents"] => {
  if (logs === undefined) return unknown(undefined)
  if (logs.length > MOST_EVENTS)
    return unknown(new ReadLimitExceeded({ context: { count: logs.length, limit: MOST_EVENTS } }))
  const events = logs.flatMap(log => eventOf(log) ?? [])
  return events.length === logs.length ? known(events) : unknown(new UpstreamInvalidResponse())
}

const [INSERTED] = encodeEventTopics({ abi: outboxAbi })

/** Logs are asked for by their blocks' numbers, so they are of this chain only while its block is where it was. */
const outboxEvents = (
  snapshot: PinnedSnapshot,
  address: Address,
  range: LogRange | undefined
): Effect.Effect<Bridge["outboxEvents"]> => {
  if (range === undefined) return Effect.succeed(unknown(new LogRangeRequired()))
  const { holder, from, to } = range
  const asked = Effect.all(
    [
      snapshot.askApart(eventLogs({ address, topics: [INSERTED, addressWord(holder)], from, to })),
      snapshot.askApart(blockByNumber(snapshot.chainId, snapshot.block.number))
    ],
    SIDE_BY_SIDE
  )
  return Effect.map(observed(asked), told =>
    andThenObserved(told, ([logs, block]) =>
      block?.hash === snapshot.block.hash ? eventsOf(logs) : unknown(new BlockUnavailable())
    )
  )
}

export interface WantedBridge {
  readonly tokens: Observed<ReadonlyArray<Address>>
  readonly range: LogRange | undefined
}

/** In one round of reads. */
export const readBridge = (snapshot: PinnedSnapshot, address: Address, { tokens, range }: WantedBridge) => {
  const ask = <A, I>(name: FunctionTaking<"JBSucker", []>, as: Schema.Schema<A, I>) =>
    observed(snapshot.readAt("JBSucker", address, name, [], as))
  return Effect.all(
    {
      state: Effect.map(ask("state", Uint256), told => andThenObserved(told, stateOf)),
      accountingGossip: ask("peerChainAccountsOf", PeerAccounts),
      transport: transportOf(snapshot, address),
      tokenStates: mapEffect(tokens, items =>
        Effect.forEach(items, token => tokenState(snapshot, address, token), SIDE_BY_SIDE)
      ),
      outboxEvents: outboxEvents(snapshot, address, range)
    },
    SIDE_BY_SIDE
  )
}
