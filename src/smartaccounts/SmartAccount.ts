/** Smart accounts as clients see them: what a deployment supports, how a wallet is created, and what its owners sign to bind it. */
import { Schema } from "effect"
import { Evidence } from "../values/Evidence.ts"
import { Address, Bytes32, ChainId, Hex, Uint256, UnixMillis, UnixSeconds } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { ManifestId, ManifestTerms } from "./Manifest.ts"

export const MAXIMUM_OWNERS = 16

const checksummed = Schema.typeSchema(Address)
const Addresses = Schema.Array(checksummed)
const Threshold = Schema.Int.pipe(Schema.between(1, MAXIMUM_OWNERS))

const ShownManifest = Schema.typeSchema(strict({ ...ManifestTerms.fields, revision: Bytes32 })).annotations({
  identifier: "SmartAccountManifest",
  description:
    "The contracts that the wallets of a deployment are made of, each by the Keccak-256 of its code; revision is the SHA-256 of all else."
})

export const SmartAccountCapabilities = strict({
  deployments: Schema.Array(
    strict({
      manifestId: ManifestId,
      mode: ManifestTerms.fields.mode,
      chainId: ChainId,
      revision: Bytes32,
      state: Schema.Literal("verified", "unverified", "drifted").annotations({
        description: "whether the chain has the manifest's code: all of it, not known, or other code"
      }),
      checkedAt: UnixMillis,
      manifest: ShownManifest
    })
  ),
  accountOwnershipVerification: Schema.Literal("safe-current-eoa-owner-threshold"),
  sessionDurationsDays: Schema.Tuple(Schema.Literal(7), Schema.Literal(30)),
  walletCreation: Schema.Literal("stateless-factory-calldata"),
  exclusions: Schema.Array(Schema.String)
}).annotations({ identifier: "SmartAccountCapabilities" })
export type SmartAccountCapabilities = typeof SmartAccountCapabilities.Type

export const WalletCreation = strict({
  chainId: ChainId,
  manifestId: ManifestId,
  manifestRevision: Bytes32,
  address: checksummed,
  owners: Addresses,
  threshold: Threshold,
  saltNonce: Uint256,
  initializer: Hex,
  initializerHash: Bytes32,
  transaction: strict({ to: checksummed, value: Schema.Literal("0"), data: Hex }),
  initialAuthority: strict({
    validators: Addresses,
    executors: Schema.Tuple(),
    hook: checksummed,
    enabledSessions: Schema.Literal(0)
  }),
  evidence: Evidence,
  deploymentConfirmed: Schema.Literal(false)
}).annotations({
  identifier: "WalletCreation",
  description: "The factory's call that creates a wallet, and the address that follows from it."
})
export type WalletCreation = typeof WalletCreation.Type

/** As the wallet's guard tells it. */
export const GuardSession = strict({
  installed: Schema.Boolean,
  enableNonce: Uint256,
  epoch: Uint256,
  history: Bytes32,
  live: Schema.NullOr(Bytes32).annotations({
    description: "the permission under which a key may act for the wallet now, whoever prepared it"
  })
}).annotations({
  identifier: "GuardSession",
  description: "What the guard keeps of the wallet: one session at most lives at a time."
})
export type GuardSession = typeof GuardSession.Type

const CodeHash = strict({ name: Schema.String, address: checksummed, runtimeCodeHash: Bytes32 })

export const InspectedWallet = strict({
  chainId: ChainId,
  address: checksummed,
  manifestId: ManifestId,
  manifestRevision: Bytes32,
  singleton: checksummed,
  adapter: checksummed,
  entryPoint: checksummed,
  fallbackHandler: checksummed,
  transactionGuard: checksummed,
  hook: checksummed,
  owners: Addresses,
  threshold: Threshold,
  safeModules: Addresses,
  validators: Addresses,
  executors: Addresses,
  safeNonce: Uint256,
  evidence: Evidence,
  codeHashes: Schema.Array(CodeHash),
  session: Schema.optionalWith(GuardSession, { exact: true }).annotations({
    description: "left out where the manifest has no guard"
  }),
  moduleConfigurationVerified: Schema.Literal(true)
}).annotations({
  identifier: "InspectedWallet",
  description: "Who controls a wallet and by which code, as it was inspected at one block."
})

export type InspectedWallet = typeof InspectedWallet.Type

const Members = Schema.Array(strict({ name: Schema.String, type: Schema.String }))

const ChallengeTypedData = strict({
  types: strict({ EIP712Domain: Members, BindSmartAccount: Members }),
  primaryType: Schema.Literal("BindSmartAccount"),
  domain: strict({
    name: Schema.String,
    version: Schema.String,
    chainId: ChainId,
    verifyingContract: checksummed,
    salt: Bytes32
  }),
  message: strict({
    accountId: Schema.String,
    owner: checksummed,
    stateHash: Bytes32,
    nonce: Bytes32,
    expiresAt: UnixSeconds
  })
})

export const PreparedChallenge = strict({
  state: InspectedWallet,
  stateHash: Bytes32,
  typedData: ChallengeTypedData,
  digest: Bytes32
}).annotations({
  identifier: "BindingChallenge",
  description:
    "What the wallet's owners sign, as many as its threshold, so that it is bound to the account in this state."
})
export type PreparedChallenge = typeof PreparedChallenge.Type
