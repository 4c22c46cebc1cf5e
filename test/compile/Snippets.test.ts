import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extendedCopy, printedCommands, printedEntries, printedFiles } from "../extending/Page.ts"
import { type CompileErrors, compiled } from "./Compiled.ts"

/** What the compiler says of each snippet; of those without words it says nothing. */
const SAID: Readonly<Record<string, RegExp | undefined>> = {
  Sound: undefined,
  PlanWithoutEffects: /Expected 3 arguments, but got 2/,
  PlanOfUndeclaredCall: /Type '"mintFor\(address\)"' is not assignable to type '"sendPayoutsOf\(/,
  PlanOfUndeclaredContract: /Type '"JBController"' is not assignable to type '"JBMultiTerminal"'/,
  EffectOfAnotherCall:
    /Type '"JBMultiTerminal\.sendPayoutsOf\(.*"' is not assignable to type '"JBERC20\.approve\(/,
  EffectOfUnknownFunction: /is not assignable to type '"no contract has this function"'/,
  PlanOfUndeclaredRefusal: /Type '"PLAN_NOT_FOUND"' is not assignable to type/,
  AnswerOfUndeclaredRefusal: /Type '"PLAN_NOT_FOUND"' is not assignable to type/,
  SoundReads: undefined,
  ReadOfUnknownFunction: /'"controlerOf"' is not assignable to parameter of type/,
  ReadOfUnknownContract: /'"JBDirectories"' is not assignable to parameter of type/,
  ReadOfOtherArguments: /Argument of type '\[\]' is not assignable to parameter of type/,
  SoundHandlers: undefined,
  OtherHandlers: undefined,
  HandlerOfUndeclaredRefusal: /'_tag' are incompatible\.\s+Type '"PLAN_NOT_FOUND"' is not assignable to type/,
  HandlerOfAnotherSuccess: /'bots' are incompatible\.\s+Type 'number' is not assignable to type 'readonly \{/,
  HandlerOfNoEndpoint: /is not assignable to type '"no endpoint has this name"'/,
  MissingHandler: /Property 'revokeBot' is missing in type .* but required in type/,
  MissingGroup: /Property 'contracts' is missing in type .* but required in type/,
  TeamLayerOfAnotherPart: /Type '"?(?:Givable|chain).*is not assignable to type/,
  TeamOperationOfUntoldNeeds: /'Greeting' is not assignable to type/,
  TeamPlanWithoutEffects: /Property 'effects' is missing in type/,
  RoutesOfUntoldNeeds: /Type 'Shelf' is not assignable to type 'never'/
}

const COMPILING = 300_000

const SNIPPETS = "test/compile/snippets"

let copy: Awaited<ReturnType<typeof extendedCopy>>
let errors: CompileErrors = new Map()

beforeAll(async () => {
  copy = await extendedCopy()
  errors = await compiled(copy.root)
}, COMPILING)

afterAll(() => copy.remove())

describe("what must not compile", () => {
  it("has its words for each snippet", () => {
    assert.sameMembers(
      readdirSync(SNIPPETS).map(file => basename(file, ".ts")),
      Object.keys(SAID)
    )
  })

  it.each(Object.entries(SAID))("%s", (snippet, said) => {
    const found = errors.get(`${SNIPPETS}/${snippet}.ts`) ?? []
    if (said === undefined) assert.deepStrictEqual(found, [])
    else {
      assert.lengthOf(found, 1)
      assert.match(found[0]?.message ?? "", said)
    }
  })
})

describe("what the page on extending adds", () => {
  it("is a read, a plan and a verb by one command", () => {
    assert.deepStrictEqual(
      printedFiles.map(({ path }) => basename(path)),
      ["Declaration.ts", "Run.ts", "Declaration.ts", "Effects.ts", "Run.ts"]
    )
    assert.deepStrictEqual([printedEntries.length, ...printedCommands], [1, "npm run operations"])
  })

  it("stands in the registers and in the list of verbs", () => {
    const read = (path: string) => readFileSync(join(copy.root, path), "utf8")
    const ids = read("src/operations/generated/OperationIds.ts")
    for (const { path } of printedFiles) assert.include(ids, `"${basename(join(path, ".."))}"`)
    for (const { path, text } of printedEntries) assert.include(read(path), `,\n${text}]`)
  })

  it("compiles, and so does everything with it", () => {
    assert.deepStrictEqual(
      [...errors].filter(([path]) => !path.startsWith(`${SNIPPETS}/`)),
      []
    )
  })

  it("is as the formatter and the linter have it", () => {
    const paths = [...printedFiles, ...printedEntries].map(({ path }) => path)
    const biome = join("node_modules", ".bin", "biome")
    const { status, stdout, stderr } = spawnSync(biome, ["check", ...paths], {
      cwd: copy.root,
      encoding: "utf8"
    })
    assert.strictEqual(status, 0, stdout + stderr)
  })
})
