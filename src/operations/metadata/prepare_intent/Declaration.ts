import { Schema } from "effect"
import { IntentDraft } from "../../../intents/Intent.ts"
import { Address, Bytes32, ChainId } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Calldata, distinct, list } from "../../shared/inputs/Parts.ts"

const DeploymentCall = strict({ chainId: ChainId, to: Address, data: Calldata })

/** Its application decides what it holds. */
const ClientDocument = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "an object of the client's own, kept and hashed as it is",
  jsonSchema: { type: "object", additionalProperties: true }
})

export const prepareIntent = declareOperation({
  id: "prepare_intent",
  kind: "prepare",
  sources: ["service"],
  title: "Prepare a project intent",
  description:
    "Normalises a project intent and gives the hash and the message to sign. Nothing is stored or signed.",
  input: strict({
    format: Schema.String.pipe(Schema.pattern(/^[a-z0-9.-]{1,80}\/[A-Za-z0-9._-]{1,32}$/)).annotations({
      description: "the application and its version, as application/version"
    }),
    deploymentVersion: Schema.Literal("6"),
    chainIds: distinct(list(ChainId, 8, 1)),
    deploymentCalls: list(DeploymentCall, 8, 1),
    jb: ClientDocument
  }),
  output: strict({
    envelope: IntentDraft,
    contentHash: Bytes32,
    message: Schema.String.annotations({
      description: "what the publisher signs as a personal message (EIP-191)"
    })
  }).annotations({ identifier: "PreparedIntent" }),
  problems: ["CONFIGURATION_TOO_LARGE", "UNSUPPORTED_CHAIN"]
})
