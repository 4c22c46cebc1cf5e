import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { ManifestId } from "../../smartaccounts/Manifest.ts"
import {
  MAXIMUM_OWNERS,
  PreparedChallenge,
  SmartAccountCapabilities,
  WalletCreation
} from "../../smartaccounts/SmartAccount.ts"
import { Address, Bytes32, Uint256, UnixSeconds } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"

const Owners = Schema.Array(Address)
  .pipe(
    Schema.minItems(1),
    Schema.maxItems(MAXIMUM_OWNERS),
    Schema.filter(owners => new Set(owners).size === owners.length && owners.every(one => BigInt(one) > 1n), {
      message: () => "distinct addresses above 1",
      jsonSchema: { uniqueItems: true }
    })
  )
  .annotations({ description: "the wallet's owners, in any order" })

const NewWallet = strict({
  manifestId: ManifestId,
  owners: Owners,
  threshold: Schema.Int.pipe(Schema.between(1, MAXIMUM_OWNERS)).annotations({
    description: "how many of the owners sign for the wallet"
  }),
  saltNonce: Uint256
}).pipe(
  Schema.filter(({ owners, threshold }) =>
    threshold <= owners.length ? true : { path: ["threshold"], message: "at most the number of owners" }
  )
)

const Nonce = Bytes32.pipe(
  Schema.filter(nonce => BigInt(nonce) > 0n, { message: () => "32 bytes that are not zero", jsonSchema: {} })
)

const OF_MANIFESTS = [
  "SMART_ACCOUNTS_UNAVAILABLE",
  "MANIFEST_NOT_FOUND",
  "SMART_ACCOUNT_UNSUPPORTED",
  "BLOCK_UNAVAILABLE",
  ...CHAIN_PROBLEMS
] as const

export const smartAccountCapabilities = declare({
  name: "getSmartAccountCapabilities",
  method: "GET",
  at: "/api/v1/smart-accounts/capabilities",
  access: signed({}),
  summary: "Show which smart accounts are supported",
  description:
    "The manifests of this deployment, and whether each chain has the code that its manifest pins, as seen a minute ago at most.",
  success: SmartAccountCapabilities,
  problems: ["SMART_ACCOUNTS_UNAVAILABLE"]
})

export const createCreationPlan = declare({
  name: "createCreationPlan",
  method: "POST",
  at: "/api/v1/smart-accounts/creation-plans",
  access: signed({ ownerOnly: true }),
  summary: "Prepare the creation of a smart account",
  description:
    "Computes the address of a new wallet of these owners and the factory's call that creates it, after each pinned contract was looked at. Deploys nothing, stores nothing.",
  body: NewWallet,
  success: strict({ creation: WalletCreation }),
  status: 201,
  problems: [...OF_MANIFESTS, "SMART_ACCOUNT_ALREADY_DEPLOYED"]
})

export const createBindingChallenge = declare({
  name: "createBindingChallenge",
  method: "POST",
  at: "/api/v1/smart-accounts/binding-challenges",
  access: signed({ ownerOnly: true }),
  summary: "Prepare what owners sign to bind a wallet",
  description:
    "Inspects the wallet at one block and answers the typed data that its owners sign, as many as its threshold. Every check that fails is told by its name. Stores nothing.",
  body: strict({
    manifestId: ManifestId,
    address: Address.annotations({ description: "the wallet's address" }),
    nonce: Nonce,
    expiresAt: UnixSeconds.annotations({ description: "Unix time in seconds, at most 900 ahead" })
  }),
  success: PreparedChallenge,
  problems: ["INVALID_INPUT", ...OF_MANIFESTS, "SMART_ACCOUNT_UNDEPLOYED", "SMART_OWNER_NOT_MEMBER"]
})

export const WalletsGroup = HttpApiGroup.make("Wallets")
  .add(smartAccountCapabilities)
  .add(createCreationPlan)
  .add(createBindingChallenge)
