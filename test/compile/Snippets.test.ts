import { readdirSync } from "node:fs"
import { basename } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { type CompileError, compiled } from "./Compiled.ts"

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

const COMPILING = 120_000

describe("what must not compile", () => {
  let errors: ReadonlyMap<string, ReadonlyArray<CompileError>> = new Map()

  beforeAll(() => {
    errors = compiled()
  }, COMPILING)

  it("has its words for each snippet", () => {
    assert.sameMembers(
      readdirSync("test/compile/snippets").map(file => basename(file, ".ts")),
      Object.keys(SAID)
    )
  })

  it.each(Object.entries(SAID))("%s", (snippet, said) => {
    const found = errors.get(snippet) ?? []
    if (said === undefined) assert.deepStrictEqual(found, [])
    else {
      assert.lengthOf(found, 1)
      assert.match(found[0]?.message ?? "", said)
    }
  })
})
