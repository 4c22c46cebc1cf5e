import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { IntegerParameterOr } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import {
  Intent,
  IntentCursor,
  IntentDraft,
  IntentPage,
  IntentSignature,
  ToldDeployment
} from "../../intents/Intent.ts"
import { Address, IntentId } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"

const QUERY_LENGTH = 200

export const PublishBody = strict({
  envelope: IntentDraft,
  publisher: Address,
  signature: IntentSignature
}).annotations({ identifier: "SignedIntent" })

export const publishIntent = declare({
  name: "publishIntent",
  method: "POST",
  at: "/api/v1/intents",
  access: signed({ scope: "plan" }),
  summary: "Publish a signed intent",
  description:
    "Stores what a publisher wants to deploy, for everybody to see and for good. The publisher, who need not be the account, signs the message that prepare_intent gives; publishing the same content again gives the stored record.",
  body: PublishBody,
  success: Intent,
  status: 201,
  problems: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "CONFIGURATION_TOO_LARGE",
    "RATE_LIMITED",
    "STORAGE_LIMIT",
    "UPSTREAM_INVALID_RESPONSE"
  ]
})

export const searchIntents = declare({
  name: "searchIntents",
  method: "GET",
  at: "/api/v1/intents",
  access: signed({}),
  summary: "Search signed intents",
  description:
    "Undeployed intents of every deployment version, newest first, by words in their names, taglines, descriptions and tags.",
  query: strict({
    q: Schema.optional(Schema.String.pipe(Schema.maxLength(QUERY_LENGTH))),
    owner: Schema.optional(Address),
    publisher: Schema.optional(Address),
    limit: IntegerParameterOr(1, 100, 20),
    cursor: Schema.optional(IntentCursor)
  }),
  success: IntentPage,
  problems: ["INVALID_PARAMETER", "UPSTREAM_INVALID_RESPONSE"]
})

export const recordDeployment = declare({
  name: "recordIntentDeployment",
  method: "POST",
  at: "/api/v1/intents/:id/deployments",
  access: signed({ scope: "plan" }),
  summary: "Record that an intent was deployed",
  description:
    "Anybody may tell of a transaction; what is stored is what the chain proves: a successful transaction with the chain's confirmations that creates exactly one project, inside the intent's last call of that chain, made byte for byte or through the ERC-2771 forwarder. Where that call is not the transaction itself, the node's trace has to show it. A reorganisation takes a recorded deployment back; mined again within a day it is shown again, and after that once somebody tells of it.",
  path: strict({ id: IntentId }),
  body: ToldDeployment,
  success: Intent,
  status: 201,
  problems: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "INTENT_NOT_FOUND",
    "UNSUPPORTED_VERSION",
    ...CHAIN_PROBLEMS,
    "DEPLOYMENT_UNCONFIRMED",
    "DEPLOYMENT_UNPROVED",
    "DEPLOYMENT_UNAVAILABLE",
    "TRACE_UNAVAILABLE",
    "STORAGE_LIMIT",
    "UPSTREAM_INVALID_RESPONSE"
  ]
})

export const IntentsGroup = HttpApiGroup.make("Intents")
  .add(publishIntent)
  .add(searchIntents)
  .add(recordDeployment)
