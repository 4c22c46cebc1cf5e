import { assert, describe, it } from "vitest"
import { type Draft, withDraft } from "../../../src/console/doing/fields/Draft.ts"
import type { FieldPath } from "../../../src/console/doing/fields/InputField.ts"
import { formOf } from "../../../src/console/doing/fields/ReadSchema.ts"
import { draftOf, startDraft } from "../../../src/console/doing/fields/WriteDraft.ts"
import type { PrepareId } from "../../../src/operations/generated/OperationIds.ts"
import {
  AROUND,
  formFor,
  inputFor,
  inputRead,
  isAccepted,
  KNOWN,
  misfitsRead,
  WALLET
} from "./support/Forms.ts"

type Typing = ReadonlyArray<readonly [FieldPath, Draft]>

const typed = (id: PrepareId, typing: Typing, start = startDraft(formFor(id), KNOWN)): Draft =>
  typing.reduce((draft, [path, text]) => withDraft(draft, path, text), start)

const PROJECT: Typing = [[["project", "projectId"], "2"]]

const changed = (id: PrepareId, typing: Typing) => {
  const form = formFor(id)
  return typed(id, typing, draftOf(form, inputFor(id), AROUND))
}

const wrongAt = (id: PrepareId, typing: Typing) => {
  const found = misfitsRead(formFor(id), changed(id, typing))
  return found.map(({ path, words }) => `${path.join(".")}: ${words}`)
}

describe("a form that is typed in", () => {
  it("pays in whole ether with nothing but a project and an amount", () => {
    const input = inputRead(formFor("prepare_pay"), typed("prepare_pay", [...PROJECT, [["amount"], "0.5"]]))
    assert.deepStrictEqual(input, {
      project: { chainId: 31_337, projectId: "2" },
      account: WALLET,
      token: "0x000000000000000000000000000000000000EEEe",
      amount: "500000000000000000",
      beneficiary: WALLET
    })
    assert.isTrue(isAccepted("prepare_pay", input))
  })

  it("keeps every digit of an amount that no floating point holds", () => {
    const amount = "12345678901234567890.123456789012345678"
    const input = inputRead(formFor("prepare_pay"), typed("prepare_pay", [...PROJECT, [["amount"], amount]]))
    assert.propertyVal(input, "amount", "12345678901234567890123456789012345678")
  })

  for (const amount of ["1.0000000000000000001", "1e18", "1,5", "-1", "0x10", "1 000", ".5", "٣"])
    it(`refuses the amount ${amount}`, () => {
      const found = misfitsRead(
        formFor("prepare_pay"),
        typed("prepare_pay", [...PROJECT, [["amount"], amount]])
      )
      assert.deepStrictEqual(found, [
        {
          path: ["amount"],
          label: "Amount",
          words: "This must be a number such as 1.5, with a point and at most 18 decimals."
        }
      ])
    })

  it("refuses nothing paid, in the words of the schema", () => {
    assert.deepStrictEqual(wrongAt("prepare_pay", [[["amount"], "0"]]), [
      "amount: This must be a canonical decimal string above zero of at most 256 bits."
    ])
  })

  it("takes an amount of a token of unknown decimals in its smallest unit alone", () => {
    const token: Typing = [[["token"], "0x5FbDB2315678afecb367f032d93F642f64180aa3"]]
    for (const amount of ["1.5", "15"])
      assert.deepStrictEqual(wrongAt("prepare_pay", [...token, [["amount"], amount]]), [
        "amount: The decimals are not known here: type the smallest unit, as in 1000 units."
      ])
    const units = (typing: Typing) => inputRead(formFor("prepare_pay"), changed("prepare_pay", typing))
    assert.propertyVal(units([...token, [["amount"], "15 units"]]), "amount", "15")
    assert.propertyVal(units([[["amount"], "1 unit"]]), "amount", "1")
  })

  it("checks the checksum of an address", () => {
    const wrong = "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
    assert.deepStrictEqual(wrongAt("prepare_pay", [[["beneficiary"], wrong]]), [
      "beneficiary: This must be an EVM address: 0x and 40 hexadecimal digits; mixed case must carry a right EIP-55 checksum."
    ])
    const lower = inputRead(
      formFor("prepare_pay"),
      changed("prepare_pay", [[["beneficiary"], ` ${WALLET.toLowerCase()} `]])
    )
    assert.propertyVal(lower, "beneficiary", WALLET.toLowerCase())
  })

  it("keeps hostile text as text", () => {
    const memo = ' <img src=x onerror="alert(1)">\u202e\u0000{{constructor}} __proto__ \n'
    const input = inputRead(formFor("prepare_pay"), changed("prepare_pay", [[["memo"], memo]]))
    assert.propertyVal(input, "memo", memo)
    assert.isTrue(isAccepted("prepare_pay", input))
  })

  it("takes shares as parts or as percentages, and refuses what is no whole count of parts", () => {
    const slippage = (text: string) =>
      inputRead(formFor("prepare_pay"), changed("prepare_pay", [[["slippageBps"], text]]))
    assert.propertyVal(slippage("250"), "slippageBps", 250)
    assert.propertyVal(slippage("2.5%"), "slippageBps", 250)
    assert.match(wrongAt("prepare_pay", [[["slippageBps"], "0.001%"]]).join(), /10000 parts/)
    assert.deepStrictEqual(wrongAt("prepare_pay", [[["slippageBps"], "10.01%"]]), [
      "slippageBps: This must be basis points from 0 to 1000 of the quote that may be lost."
    ])
  })

  it("takes a duration in words and a start as local time", () => {
    const at: FieldPath = ["rulesetConfigurations", 0]
    const input = inputRead(
      formFor("prepare_ruleset_change"),
      changed("prepare_ruleset_change", [
        [[...at, "duration"], "2 weeks"],
        [[...at, "mustStartAtOrAfter"], "2030-01-02T03:04:05"]
      ])
    )
    const [ruleset] = Object(input).rulesetConfigurations
    assert.strictEqual(ruleset.duration, 1_209_600)
    const seconds = new Date(2030, 0, 2, 3, 4, 5).getTime() / 1000
    assert.strictEqual(ruleset.mustStartAtOrAfter, String(seconds))
  })

  it("refuses shares that are more than the whole together, at their list", () => {
    const split = (percent: string) => ({
      kind: "group" as const,
      members: {
        percent,
        projectId: "",
        beneficiary: WALLET,
        preferAddToBalance: false,
        lockedUntil: "",
        hook: ""
      }
    })
    const splits = (...percents: ReadonlyArray<string>): Draft => ({
      kind: "list",
      rows: percents.map((percent, key) => ({ key, draft: split(percent) }))
    })
    const group = (...percents: ReadonlyArray<string>): Draft => ({
      kind: "list",
      rows: [{ key: 0, draft: { kind: "group", members: { groupId: "1", splits: splits(...percents) } } }]
    })
    const at: FieldPath = ["rulesetConfigurations", 0, "splitGroups"]
    assert.deepStrictEqual(wrongAt("prepare_ruleset_change", [[at, group("60%", "40.1%")]]), [
      "rulesetConfigurations.0.splitGroups.0.splits: The shares are 100.1 % together, more than the whole."
    ])
    const input = inputRead(
      formFor("prepare_ruleset_change"),
      changed("prepare_ruleset_change", [[at, group("60%", "40%")]])
    )
    assert.isTrue(isAccepted("prepare_ruleset_change", input))
  })

  it("refuses lists that are too short, too long or say a thing twice", () => {
    const rows = (...texts: ReadonlyArray<string>): Draft => ({
      kind: "list",
      rows: texts.map((draft, key) => ({ key, draft }))
    })
    assert.deepStrictEqual(wrongAt("prepare_721_pay", [[["tierIds"], rows()]]), [
      "tierIds: At least 1 must be here."
    ])
    const many = Array.from({ length: 33 }, () => "1")
    assert.deepStrictEqual(wrongAt("prepare_721_pay", [[["tierIds"], rows(...many)]]), [
      "tierIds: At most 32 may be here."
    ])
    assert.deepStrictEqual(wrongAt("prepare_adjust_tiers", [[["tierIdsToRemove"], rows("1", "1")]]), [
      "tierIdsToRemove: All of these must differ."
    ])
  })
})

describe("a schema of a team's own operation", () => {
  const form = formOf("prepare_other", {
    type: "object",
    required: ["either", "colour", "rate"],
    properties: {
      either: {
        anyOf: [
          { type: "string", minLength: 2 },
          { type: "object", required: ["n"], properties: { n: { type: "integer", minimum: 1 } } },
          { type: "null" }
        ]
      },
      colour: { type: "string", enum: ["red", "blue"] },
      rate: { type: "number", minimum: 0, maximum: 1 },
      further: { type: "array", items: { type: "boolean" } }
    },
    additionalProperties: false
  })

  it("may have alternatives, enumerations, fractions and parts that are left out", () => {
    const input = { either: { n: 3 }, colour: "blue", rate: 0.5 }
    assert.deepStrictEqual(inputRead(form, draftOf(form, input, AROUND)), input)
    const other = { either: null, colour: "red", rate: 1, further: [true, false] }
    assert.deepStrictEqual(inputRead(form, draftOf(form, other, AROUND)), other)
  })

  it("is refused at the member that is chosen", () => {
    const draft = withDraft(
      draftOf(form, { either: { n: 3 }, colour: "red", rate: 1 }, AROUND),
      ["either", "n"],
      "0"
    )
    assert.deepStrictEqual(
      misfitsRead(form, draft).map(({ path }) => path),
      [["either", "n"]]
    )
  })
})
