/** What a view of a project's bridges says. */
import { Schema } from "effect"
import { Evidence } from "../values/Evidence.ts"
import { ObservedOf } from "../values/Observed.ts"
import { Address, Bytes32, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { Coverage, ProjectKey } from "./ProjectSchemas.ts"

const PeerAccount = strict({
  chainId: Uint256,
  totalSupply: Uint256,
  contexts: Schema.Array(strict({ token: Bytes32, decimals: Uint256, surplus: Uint256, balance: Uint256 })),
  timestamp: Uint256.annotations({
    description: "as the peer told it: seconds, in the high 128 bits where the low ones hold a counter"
  })
})
export const PeerAccounts = Schema.Array(PeerAccount)

export const RemoteToken = strict({
  enabled: Schema.Boolean,
  emergencyHatch: Schema.Boolean,
  minGas: Uint256,
  addr: Bytes32
})

export const Outbox = strict({
  nonce: Uint256,
  numberOfClaimsSent: Uint256,
  balance: Uint256,
  tree: strict({ branch: Schema.Array(Bytes32), count: Uint256 })
})

export const Inbox = strict({ nonce: Uint256, root: Bytes32 })

const TokenState = strict({
  token: Address,
  remoteToken: ObservedOf(RemoteToken),
  outbox: ObservedOf(Outbox).annotations({
    description: "a leaf whose index is numberOfClaimsSent or more has not been sent"
  }),
  inbox: ObservedOf(Inbox),
  amountToAddToBalance: ObservedOf(Uint256),
  transportTokenCompatibility: ObservedOf(Schema.Boolean)
}).annotations({ identifier: "BridgeTokenState" })
export type TokenState = typeof TokenState.Type

const OutboxEvent = strict({
  blockNumber: Uint256,
  transactionHash: Bytes32,
  logIndex: Schema.NonNegativeInt,
  beneficiary: Bytes32,
  token: Address,
  hashed: Bytes32,
  index: Uint256,
  root: Bytes32,
  projectTokenCount: Uint256,
  terminalTokenAmount: Uint256,
  metadata: Bytes32,
  caller: Address
}).annotations({ identifier: "OutboxInsertion" })
export type OutboxEvent = typeof OutboxEvent.Type

const Transport = strict({ kind: Schema.Literal("ccip", "optimism", "arbitrum"), contract: Address })
export type BridgeTransport = typeof Transport.Type

const Identity = strict({
  projectId: ObservedOf(Uint256),
  peer: ObservedOf(Bytes32),
  peerChainId: ObservedOf(Uint256),
  remoteProjectId: ObservedOf(Uint256),
  verified: ObservedOf(Schema.Literal(true)).annotations({
    description: "known where both ends name each other and the other chain's registry lists the peer"
  })
}).annotations({ identifier: "BridgeIdentity" })
export type BridgeIdentity = typeof Identity.Type

const State = strict({
  code: Schema.Int,
  name: Schema.Literal("enabled", "deprecation-pending", "sending-disabled", "deprecated")
})

export const Bridge = strict({
  address: Address,
  activeRegistryMember: ObservedOf(Schema.Boolean),
  identity: Identity,
  state: ObservedOf(State),
  accountingGossip: ObservedOf(PeerAccounts).annotations({
    description: "accounts of other chains as last told by messages, which may be stale"
  }),
  transport: ObservedOf(Transport),
  tokenStates: ObservedOf(Schema.Array(TokenState)),
  outboxEvents: ObservedOf(Schema.Array(OutboxEvent))
}).annotations({ identifier: "Bridge" })
export type Bridge = typeof Bridge.Type

export const BridgesView = strict({
  project: ProjectKey,
  registry: Address,
  holder: Schema.NullOr(Address),
  registryFee: ObservedOf(
    strict({ amount: Uint256, decimals: Schema.Literal(18), token: Schema.Literal("native") })
  ),
  bridges: ObservedOf(Schema.Array(Bridge)),
  evidence: Schema.Array(Evidence),
  coverage: Coverage
}).annotations({ identifier: "BridgesView" })
export type BridgesView = typeof BridgesView.Type
