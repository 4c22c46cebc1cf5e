import { Effect, Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import type { AddedContract } from "../../src/catalog/AddedContracts.ts"
import { checkEffects } from "../../src/main/CheckEffects.ts"
import { ownOperations } from "../../src/operations/framework/OwnOperations.ts"
import { Catalog, effects } from "../../src/service/main.ts"
import { prepareGreeting } from "./support.ts"

const JAR = "jar:src/Jar.sol:Jar"
const TIP = "tip(uint256)"

const method = (name: string, stateMutability: string) => ({
  type: "function",
  name,
  inputs: [{ name: "projectId", type: "uint256" }],
  outputs: [],
  stateMutability
})

const jar: AddedContract = {
  id: JAR,
  version: "1.0.0",
  abi: [method("tip", "payable"), method("tipsOf", "view")],
  deployments: []
}

const layer = Catalog.layer({ directory: "schema/protocol", contracts: [jar] })

const said = (given: typeof prepareGreeting.effects) =>
  Effect.runPromise(
    Effect.match(Effect.provide(checkEffects([{ ...prepareGreeting, effects: given }]), layer), {
      onFailure: ({ message }) => message.split("\n"),
      onSuccess: () => []
    })
  )

const tipped = (over: {
  readonly contractId?: string
  readonly signature?: string
  readonly witnesses?: ReadonlyArray<string>
}) =>
  effects.predicate({
    name: "tip",
    contractId: JAR,
    signature: TIP,
    args: Schema.Struct({}),
    judge: () => Either.right([]),
    ...over
  })

const { unmodeled } = effects

describe("the effects that a team declares", () => {
  it("are those of calls that the catalog has", async () => {
    assert.deepStrictEqual(await said({ [`Jar.${TIP}`]: tipped({}) }), [])
    assert.deepStrictEqual(await said({ [`Jar.${TIP}`]: unmodeled("nobody knows") }), [])
    const own = await Effect.runPromise(Effect.either(Effect.provide(checkEffects(ownOperations), layer)))
    assert.isTrue(Either.isRight(own) || own.left.message)
  })

  it.each([
    ["Jug.tip(uint256)", /names? the call Jug\.tip\(uint256\), and the catalog has no contract named Jug\.$/],
    ["Jar.tip(uint8)", /the call Jar\.tip\(uint8\), and Jar has no function of this signature\.$/],
    ["Jar.tipsOf(uint256)", /the call Jar\.tipsOf\(uint256\), which changes nothing\.$/]
  ])("are refused of another: %s", async (call, sentence) => {
    const [fault = "", ...others] = await said({ [call]: unmodeled("nobody knows") })
    assert.match(fault, /^The operation prepare_greeting is refused\. /)
    assert.match(fault, sentence)
    assert.isEmpty(others)
  })

  it("are refused where their predicate would judge nothing", async () => {
    const elsewhere = "jar:contracts/Jar.sol:Jar"
    const faults = await said({ [`Jar.${TIP}`]: tipped({ contractId: elsewhere }) })
    assert.lengthOf(faults, 2)
    assert.match(faults[0] ?? "", /which is of jar:src\/Jar\.sol:Jar, and its predicate is of jar:contracts/)
    assert.match(faults[1] ?? "", /predicate tip names the contract jar:contracts.*does not have\.$/)
  })

  it("are refused where their predicate is of another function", async () => {
    const faults = await said({ [`Jar.${TIP}`]: tipped({ signature: "tipsOf(uint256)" }) })
    assert.deepStrictEqual(faults, [
      "The operation prepare_greeting is refused. The effects name the call Jar.tip(uint256), and its predicate is of the function tipsOf(uint256)."
    ])
  })

  it("are refused where their witness is not there", async () => {
    const [fault] = await said({ [`Jar.${TIP}`]: tipped({ witnesses: ["jar:src/Lid.sol:Lid"] }) })
    assert.match(
      fault ?? "",
      /predicate tip names the contract jar:src\/Lid\.sol:Lid, which the catalog does/
    )
  })
})
