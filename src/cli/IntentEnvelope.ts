/** What an intent's publisher signs is made here, so that nobody signs what another says it is; loaded only where it is needed. */
import { Either, Schema } from "effect"
import { prepareEnvelope } from "../intents/Envelope.ts"
import { IntentDraft } from "../intents/Intent.ts"
import { usageFailure } from "./Failure.ts"
import { jsonFrom } from "./Json.ts"

const decode = Schema.decodeUnknownEither(IntentDraft, { onExcessProperty: "error" })

const draftFrom = (text: string): IntentDraft =>
  Either.getOrThrowWith(decode(jsonFrom(text, "The intent")), ({ message }) =>
    usageFailure(
      `This is no intent: ${message}`,
      "It takes {format, deploymentVersion, chainIds, deploymentCalls, jb}."
    )
  )

export const preparedIntent = (text: string) =>
  Either.getOrThrowWith(prepareEnvelope(draftFrom(text)), ({ context }) =>
    usageFailure(
      `The intent cannot be published: ${JSON.stringify(context)}`,
      "Correct it and run the command again."
    )
  )
