import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as door from "../../src/service/main.ts"

const TAGS = [
  "Catalog",
  "ChainClient",
  "CursorSigner",
  "Indexer",
  "LogSink",
  "PinnedContracts",
  "Principal",
  "Settings",
  "SignedRequest",
  "Transports"
]

const SCHEMAS = [
  "Address",
  "Bytes32",
  "ChainId",
  "Evidence",
  "Hex",
  "ObservedOf",
  "Plan",
  "Project",
  "Uint256",
  "strict"
]

const DEFINING = [
  "ChainClientLive",
  "Refusal",
  "declareEndpoint",
  "definePlanOperation",
  "defineReadOperation",
  "defineRoutes",
  "effects",
  "observed",
  "open",
  "pinned",
  "planProblems",
  "preparingPlans",
  "reply",
  "runService",
  "serviceLayer",
  "signed"
]

const EFFECTS = [
  "agreeing",
  "atMostOne",
  "between",
  "disproved",
  "doubted",
  "eventsAbout",
  "exactlyOne",
  "is",
  "isWith",
  "none",
  "planEffects",
  "predicate",
  "sole",
  "unmodeled"
]

describe("the door for teams", () => {
  it("offers exactly these names", () => {
    assert.deepStrictEqual(Object.keys(door).sort(), [...TAGS, ...SCHEMAS, ...DEFINING].sort())
    assert.deepStrictEqual(Object.keys(door.effects).sort(), EFFECTS)
  })

  it("offers exactly these types besides", () => {
    const text = readFileSync("src/service/main.ts", "utf8")
    const types = [...text.matchAll(/(?:export type \{|\btype) (\w+)/g)].map(([, name]) => name)
    assert.sameMembers(types, [
      "AddedContract",
      "CursorSigning",
      "Extension",
      "LogLine",
      "PinnedSnapshot",
      "PlannedCall",
      "Transport"
    ])
  })

  it("stands beside the client in the package, each with its types", () => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8"))
    assert.deepStrictEqual(Object.keys(exports), ["./client", "./service"])
    for (const { types, default: program } of Object.values<Record<string, string>>(exports)) {
      assert.match(types ?? "", /^\.\/dist\/types\/src\/\w+\/main\.d\.ts$/)
      assert.match(program ?? "", /^\.\/dist\/(?:client\/)?\w+\.js$/)
    }
  })
})
