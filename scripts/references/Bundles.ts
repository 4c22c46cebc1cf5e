/** The three bundles as texts, one item a line, each named by the hash of its content. */
import { bundleFiles, bundleIdOf } from "../../src/references/Bundles.ts"
import { contractDocuments } from "./Contracts.ts"
import { guideDocuments, journeyDocuments, readmeDocuments } from "./Guides.ts"
import { entityDocuments, errorDocument, operationDocuments, routeDocuments } from "./Interface.ts"
import { webclientSamples } from "./Samples.ts"
import { readOwn } from "./Source.ts"

interface Identified {
  readonly id: string
}

const sorted = <Item extends Identified>(items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const bundleText = (content: Readonly<Record<string, unknown>>): string => {
  const members = Object.entries({ bundleId: bundleIdOf(content), ...content }).map(([name, value]) => {
    const text = Array.isArray(value)
      ? `[\n${value.map(item => JSON.stringify(item)).join(",\n")}\n]`
      : JSON.stringify(value)
    return `${JSON.stringify(name)}: ${text}`
  })
  return `{\n${members.join(",\n")}\n}\n`
}

export const referenceBundles = async (): Promise<ReadonlyArray<readonly [string, string]>> => {
  const documents = [
    ...(await contractDocuments()),
    ...(await entityDocuments()),
    ...(await operationDocuments()),
    ...(await routeDocuments()),
    ...(await errorDocument()),
    ...(await guideDocuments()),
    ...(await journeyDocuments()),
    ...(await readmeDocuments())
  ]
  const integration = JSON.parse((await readOwn("docs/guides/integration.json")).text)
  return [
    [bundleFiles.documents, bundleText({ documents: sorted(documents) })],
    [bundleFiles.samples, bundleText({ references: sorted(await webclientSamples()) })],
    [bundleFiles.integration, bundleText(integration)]
  ]
}
