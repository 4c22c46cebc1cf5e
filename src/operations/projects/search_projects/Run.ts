import { Effect, Either, Schema } from "effect"
import { CURRENT_VERSION, IntentCursor } from "../../../intents/Intent.ts"
import { IntentStore } from "../../../intents/IntentStore.ts"
import { searchIndexedProjects } from "../../../projects/IndexedProjects.ts"
import { PROJECT_SEMANTICS } from "../../../projects/IndexedSchemas.ts"
import { observed } from "../../../values/Observed.ts"
import type { RefusalFields } from "../../../values/Refusal.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { chosenNetwork } from "../Network.ts"
import { InvalidIntentCursor, InvalidProjectCursor } from "../refusals.ts"
import { searchProjects } from "./Declaration.ts"

const CURSOR_SCOPE =
  "The cursor walks intents of every deployment version; those of others are left out of the page."
const NOTES = [
  "Only version 6 of the protocol.",
  "Intents are what publishers say they want to deploy; those of which a deployment is recorded are left out."
]

const offsetOf = (cursor: string | undefined): Either.Either<number, InvalidIntentCursor> =>
  cursor === undefined
    ? Either.right(0)
    : Either.mapLeft(
        Schema.decodeUnknownEither(IntentCursor)(cursor),
        () =>
          new InvalidIntentCursor({ context: { path: "intentCursor", expected: "the nextCursor of a page" } })
      )

/** The source's walk knows it as its cursor. */
const ofProjectCursor = ({ detail, context }: RefusalFields) =>
  new InvalidProjectCursor({
    ...(detail !== undefined && { detail }),
    context: { ...context, parameter: "projectCursor" }
  })

const undeployed = Effect.fnUntraced(function* (text: string, limit: number, offset: number) {
  const store = yield* IntentStore
  const page = yield* store.search({ text, limit, offset })
  const items = page.items.filter(({ deploymentVersion }) => deploymentVersion === CURRENT_VERSION)
  return {
    items,
    totalCount: null,
    nextCursor: page.nextCursor,
    pagination: {
      cursorScope: CURSOR_SCOPE,
      totalCountStatus: "unknown" as const,
      upstreamTotalCount: page.totalCount,
      upstreamPageItemCount: page.items.length,
      excludedNonV6ItemCount: page.items.length - items.length,
      returnedV6ItemCount: items.length
    }
  }
})

export const runSearchProjects = defineOperation(
  searchProjects,
  Effect.fn("SearchProjects")(function* (input, source) {
    const { query, network, chainId, limit, projectCursor, intentCursor } = input
    const chosen = yield* chosenNetwork(network, chainId)
    const offset = yield* offsetOf(intentCursor)
    const where = { network: chosen, chainId, limit, cursor: projectCursor }
    const found = searchIndexedProjects(query, where)
    const deployed = yield* observed(Effect.catchTag(found, "INDEXER_INVALID_CURSOR", ofProjectCursor))
    const frame = { deployed, semantics: PROJECT_SEMANTICS, coverage: { notes: NOTES } }
    return source === "indexer"
      ? { source, ...frame }
      : { ...frame, undeployed: yield* observed(undeployed(query, limit, offset)) }
  })
)
