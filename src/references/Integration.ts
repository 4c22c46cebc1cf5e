/** Which features an integration needs besides those that were asked for, each after what it depends on. */
import { Either } from "effect"
import type { IntegrationBundle, IntegrationFeature, ProjectType, WebclientReference } from "./Reference.ts"
import { FeatureNotOffered } from "./refusals.ts"

interface SdkImport {
  readonly from: string
  readonly symbols: ReadonlyArray<string>
}

interface Choice {
  readonly features: ReadonlyArray<string>
  readonly projectType: ProjectType
}

type Features = ReadonlyArray<IntegrationFeature>

/** These and every feature that they rest on, no one twice, behind those that are known already. */
const closureOf = (all: Features, ids: ReadonlyArray<string>, known: Features = []): Features =>
  ids.reduce((found, id) => {
    const feature = all.find(each => each.id === id)
    if (feature === undefined || found.includes(feature)) return found
    return [...closureOf(all, feature.dependsOn, found), feature]
  }, known)

export const planFeatures = (
  bundle: IntegrationBundle,
  { features, projectType }: Choice
): Either.Either<Features, FeatureNotOffered> => {
  const planned = closureOf(bundle.features, features)
  const foreign = planned.find(({ projectTypes }) => !projectTypes.includes(projectType))
  if (foreign === undefined) return Either.right(planned)
  const expected = `features of a ${projectType}, so not ${foreign.id}`
  return Either.left(new FeatureNotOffered({ context: { path: "features", expected } }))
}

const bindingsOf = (features: Features) =>
  features.flatMap(({ actions }) => actions.flatMap(({ bindings }) => bindings))

export const sdkImports = (features: Features): ReadonlyArray<SdkImport> => {
  const symbols = new Map<string, Set<string>>()
  for (const { importFrom, symbol } of bindingsOf(features))
    if (importFrom !== undefined) symbols.set(importFrom, (symbols.get(importFrom) ?? new Set()).add(symbol))
  return [...symbols].map(([from, names]) => ({ from, symbols: [...names].sort() }))
}

/** The samples that the features name, those of the preferred framework first. */
export const boundSamples = (
  features: Features,
  samples: ReadonlyArray<WebclientReference>,
  framework: "react" | "vanilla"
): ReadonlyArray<WebclientReference> => {
  const named = new Set(bindingsOf(features).map(({ referenceId }) => referenceId))
  const bound = samples.filter(({ id }) => named.has(id))
  return [
    ...bound.filter(sample => sample.framework === framework),
    ...bound.filter(sample => sample.framework !== framework)
  ]
}
