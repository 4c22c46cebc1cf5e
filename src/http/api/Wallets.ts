import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import type { AnyDeclaredPlan } from "../../operations/framework/PlanOperation.ts"
import { Plan } from "../../plans/Plan.ts"
import { ManifestId } from "../../smartaccounts/Manifest.ts"
import {
  MAXIMUM_OWNERS,
  PreparedChallenge,
  SmartAccountCapabilities,
  WalletCreation
} from "../../smartaccounts/SmartAccount.ts"
import {
  ListedBinding,
  UnlinkedBinding,
  WalletBinding,
  WalletBindingId
} from "../../smartaccounts/WalletBinding.ts"
import { Address, Bytes32, Uint256, UnixSeconds } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"
import { anyPrepared } from "./PlanOperations.ts"
import { CALLS_PROBLEMS, ContractCallsPlan, operationPlan } from "./Transactions.ts"

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

const OF_WALLETS = ["SMART_ACCOUNT_UNDEPLOYED", "SMART_OWNER_NOT_MEMBER"] as const

const MAXIMUM_SIGNATURE_BYTES = 16_384

/** What the owners of a wallet are asked to sign for. */
const asked = {
  manifestId: ManifestId,
  address: Address.annotations({ description: "the wallet's address" }),
  nonce: Nonce,
  expiresAt: UnixSeconds.annotations({ description: "Unix time in seconds, at most 900 ahead" })
}

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
  body: strict(asked),
  success: PreparedChallenge,
  problems: ["INVALID_INPUT", ...OF_MANIFESTS, ...OF_WALLETS]
})

/** How many there are, and whose, is judged by the use case, which refuses them with codes of its own. */
const OwnerSignatures = Schema.String.pipe(
  Schema.maxLength(2 + 2 * MAXIMUM_SIGNATURE_BYTES),
  Schema.pattern(/^0x(?:[0-9a-fA-F]{2})*$/)
).annotations({
  description:
    "the owners' signatures of the challenge, 65 bytes each, as many as the wallet's threshold, in the ascending order of their addresses"
})

export const createBinding = declare({
  name: "createBinding",
  method: "POST",
  at: "/api/v1/smart-accounts/bindings",
  access: signed({ scope: "plan", ownerOnly: true }),
  summary: "Bind a wallet to the account",
  description:
    "Inspects the wallet anew and links it to the account where it is in the state that was signed for, and its owners signed the challenge, as many as its threshold now. A wallet that is bound already is bound anew under the same id. The same challenge again gives the stored binding. A binding grants no right to spend.",
  body: strict({ ...asked, stateHash: Bytes32, signature: OwnerSignatures }),
  success: WalletBinding,
  status: 201,
  problems: [
    "INVALID_INPUT",
    ...OF_MANIFESTS,
    ...OF_WALLETS,
    "SMART_ACCOUNT_CHANGED",
    "INVALID_OWNER_SIGNATURES",
    "OWNER_SIGNATURES_MISMATCH",
    "BINDING_EXPIRED",
    "BINDING_NONCE_REUSED",
    "BINDING_REVOKED"
  ]
})

export const listBindings = declare({
  name: "listBindings",
  method: "GET",
  at: "/api/v1/smart-accounts/bindings",
  access: signed({}),
  summary: "List the account's wallets",
  description: "Newest first, as they are stored: no wallet is looked at.",
  query: strict({
    limit: Schema.optionalWith(IntegerParameter(1, 100), { default: () => 25 }),
    cursor: Schema.optional(Schema.String.pipe(Schema.maxLength(1024)))
  }),
  success: strict({ items: Schema.Array(ListedBinding), nextCursor: Schema.NullOr(Schema.String) }),
  problems: ["INVALID_PARAMETER"]
})

const bindingPath = strict({ id: WalletBindingId })

export const showBinding = declare({
  name: "getBinding",
  method: "GET",
  at: "/api/v1/smart-accounts/bindings/:id",
  access: signed({}),
  summary: "Show a wallet of the account",
  description:
    "Inspects the wallet anew: linked where it is in the state that its owners signed for, else changed.",
  path: bindingPath,
  success: WalletBinding,
  problems: [
    "BINDING_NOT_FOUND",
    "SMART_ACCOUNTS_UNAVAILABLE",
    "MANIFEST_NOT_FOUND",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

export const unlinkBinding = declare({
  name: "deleteBinding",
  method: "DELETE",
  at: "/api/v1/smart-accounts/bindings/:id",
  access: signed({ ownerOnly: true }),
  summary: "Unlink a wallet",
  description:
    "From the answer on, nothing more is prepared for the wallet or sent by it, and no challenge that bound it binds it again. What was reserved or sent stays so. Again, it answers the same.",
  path: bindingPath,
  success: UnlinkedBinding,
  problems: ["BINDING_NOT_FOUND"]
})

export const createWalletPlan = (plans: ReadonlyArray<AnyDeclaredPlan>) =>
  declare({
    name: "createWalletPlan",
    method: "POST",
    at: "/api/v1/smart-accounts/bindings/:id/plans",
    access: signed({ scope: "plan", idempotency: "required" }),
    summary: "Prepare a plan for a wallet",
    description:
      "As a plan of the owner's own wallet: the account of the input is the bound wallet, and every call is on its chain. The wallet is inspected at the plan's block, and the state that it is in is part of what the plan commits to. Its owners send the steps as user operations.",
    path: bindingPath,
    body: Schema.Union(ContractCallsPlan, operationPlan(plans)),
    success: Plan,
    status: 201,
    problems: [
      ...CALLS_PROBLEMS,
      ...anyPrepared(plans),
      "SMART_ACCOUNTS_UNAVAILABLE",
      "MANIFEST_NOT_FOUND",
      "BINDING_NOT_FOUND",
      "CALL_CHAIN_MISMATCH",
      "SESSION_PLAN_NOT_ADMITTED",
      "SMART_ACCOUNT_CHANGED",
      "SMART_ACCOUNT_UNSUPPORTED",
      "SMART_ACCOUNT_UNDEPLOYED"
    ]
  })

export const walletsGroup = (plans: ReadonlyArray<AnyDeclaredPlan>) =>
  HttpApiGroup.make("Wallets")
    .add(smartAccountCapabilities)
    .add(createCreationPlan)
    .add(createBindingChallenge)
    .add(createBinding)
    .add(listBindings)
    .add(showBinding)
    .add(unlinkBinding)
    .add(createWalletPlan(plans))
