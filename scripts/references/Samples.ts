/** The samples of a web client, with the package's name where they import it from the sources beside them. */
import { readdir } from "node:fs/promises"
import type { Sample } from "../../src/references/Reference.ts"
import { LICENSE, type OwnFile, REPOSITORY, readOwn } from "./Source.ts"

const PACKAGE = "signed-request-service/client"
const FRAMEWORKS: Readonly<Record<string, Sample["framework"]>> = { connect: "vanilla" }

const titleOf = (text: string): string => /^\/\*\* (.+?) \*\//.exec(text)?.[1] ?? "Sample"

const exportsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^export (?:const|type|interface|class) (\w+)/gm), ([, name = ""]) => name).sort()

const importsOf = (text: string): ReadonlyArray<string> =>
  [...new Set(Array.from(text.matchAll(/ from "([^"]+)"/g), ([, from = ""]) => from))].sort()

const sampleOf = (name: string, { path, text: own, sha256 }: OwnFile): Sample => {
  const text = own.replaceAll('"../../src/client/main.ts"', `"${PACKAGE}"`)
  return {
    id: `webclient/${name}`,
    title: titleOf(text),
    kind: "implementation",
    framework: FRAMEWORKS[name] ?? "shared",
    uri: `reference:webclient/${name}`,
    characters: text.length,
    exports: exportsOf(text),
    imports: importsOf(text),
    source: {
      repository: REPOSITORY,
      path,
      commit: null,
      fileSha256: sha256,
      fileDirty: null,
      repositoryDirty: null,
      upstreamUrl: null,
      spdxLicenseIdentifier: LICENSE,
      copyrightNotices: [],
      startLine: 1,
      endLine: own.trimEnd().split("\n").length
    },
    text
  }
}

export const webclientSamples = async (): Promise<ReadonlyArray<Sample>> => {
  const files = (await readdir("docs/samples")).filter(name => name.endsWith(".ts")).sort()
  return Promise.all(
    files.map(async file => sampleOf(file.slice(0, -3), await readOwn(`docs/samples/${file}`)))
  )
}
