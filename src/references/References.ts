/** The reference bundles as questions are put to them: loaded once, immutable, never fetched. */
import { Context, Effect, Layer } from "effect"
import { readBundles } from "./Bundles.ts"
import { type TextPage, textPage } from "./Pages.ts"
import type {
  Category,
  IntegrationBundle,
  ReferenceMetadata,
  Sample,
  WebclientReference
} from "./Reference.ts"
import { type ReferenceIntegrity, ReferenceNotFound } from "./refusals.ts"
import { type Findings, indexDocuments, type Query, referenceMetadata, searchIndex } from "./Search.ts"

interface Window {
  readonly offset: number
  readonly limit: number
}

interface PageQuery extends Window {
  readonly id: string
}

interface Listing<Item> {
  readonly items: ReadonlyArray<Item>
  readonly nextOffset: number | null
  readonly total: number
}

type ReferencePage = ReferenceMetadata & TextPage
type SamplePage = WebclientReference &
  TextPage & { readonly pageStartLine: number; readonly pageEndLine: number }

const listing = <Item>(all: ReadonlyArray<Item>, { offset, limit }: Window): Listing<Item> => ({
  items: all.slice(offset, offset + limit),
  nextOffset: offset + limit < all.length ? offset + limit : null,
  total: all.length
})

const describeSample = ({ text: _, ...metadata }: Sample): WebclientReference => metadata

const linesIn = (text: string): number => text.split("\n").length - 1

const samplePage = (sample: Sample, { offset, limit }: Window): SamplePage => {
  const page = textPage(sample.text, offset, limit)
  const pageStartLine = sample.source.startLine + linesIn(sample.text.slice(0, page.offset))
  const pageEndLine = pageStartLine + linesIn(page.text.replace(/\n$/, ""))
  return { ...describeSample(sample), ...page, pageStartLine, pageEndLine }
}

const find = <Item extends { readonly id: string }>(items: ReadonlyArray<Item>, id: string) => {
  const item = items.find(each => each.id === id)
  return item === undefined ? Effect.fail(new ReferenceNotFound({ context: { id } })) : Effect.succeed(item)
}

export class References extends Context.Tag("references/References")<
  References,
  {
    readonly bundleId: string
    readonly search: (query: Query) => Effect.Effect<Findings>
    readonly list: (category: Category | undefined, window: Window) => Listing<ReferenceMetadata>
    readonly page: (query: PageQuery) => Effect.Effect<ReferencePage, ReferenceNotFound>
    readonly samplesId: string
    readonly samples: ReadonlyArray<WebclientReference>
    readonly listSamples: (window: Window) => Listing<WebclientReference>
    readonly samplePage: (query: PageQuery) => Effect.Effect<SamplePage, ReferenceNotFound>
    readonly integration: IntegrationBundle
  }
>() {
  static readonly layer = (directory: string): Layer.Layer<References, ReferenceIntegrity> =>
    Layer.effect(
      References,
      Effect.gen(function* () {
        const { documents: bundle, samples, integration } = yield* readBundles(directory)
        const { documents } = bundle
        const metadata = documents.map(referenceMetadata)
        const described = samples.references.map(describeSample)
        const index = yield* Effect.cached(Effect.sync(() => indexDocuments(documents)))
        return {
          bundleId: bundle.bundleId,
          search: query => Effect.map(index, known => searchIndex(known, query)),
          list: (category, window) =>
            listing(
              metadata.filter(each => category === undefined || each.category === category),
              window
            ),
          page: ({ id, offset, limit }) =>
            Effect.map(find(documents, id), document => ({
              ...referenceMetadata(document),
              ...textPage(document.text, offset, limit)
            })),
          samplesId: samples.bundleId,
          samples: described,
          listSamples: window => listing(described, window),
          samplePage: query =>
            Effect.map(find(samples.references, query.id), sample => samplePage(sample, query)),
          integration
        }
      })
    )
}
