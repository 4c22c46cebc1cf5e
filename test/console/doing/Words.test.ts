import { assert, describe, it } from "vitest"
import {
  type ListDraft,
  withoutRow,
  withRowRaised,
  withRows
} from "../../../src/console/doing/fields/Draft.ts"
import {
  localText,
  secondsOf,
  shareText,
  spanOf,
  spanText
} from "../../../src/console/doing/fields/Exactly.ts"
import type { InputField } from "../../../src/console/doing/fields/InputField.ts"
import { refusedMember, stepsOf } from "../../../src/console/doing/fields/RefusedMember.ts"
import { within } from "../../../src/console/doing/fields/Surroundings.ts"
import { besideWords, offersFor } from "../../../src/console/doing/words/Beside.ts"
import { isFound, operationWords, ordered } from "../../../src/console/doing/words/OperationWords.ts"
import { planIds } from "../../../src/operations/generated/OperationIds.ts"
import { sentence } from "../../../src/review/Words.ts"
import { AROUND, formFor, KNOWN } from "./support/Forms.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3"

const member = (form: InputField, ...path: ReadonlyArray<string>): InputField =>
  path.reduce<InputField>((field, name) => {
    const { shape } = field
    if (shape.kind === "list") return shape.item
    const found = shape.kind === "group" ? shape.fields.find(each => each.name === name) : undefined
    return found ?? assert.fail(name)
  }, form)

const pay = formFor("prepare_pay")
const queue = formFor("prepare_ruleset_change")
const ruleset = member(queue, "rulesetConfigurations", "each")

const beside = (field: InputField, text: string, token = NATIVE) =>
  sentence(
    besideWords(
      field,
      text,
      within(AROUND, { project: { kind: "group", members: { chainId: "31337" } }, token })
    )
  )

describe("what is told beside a field", () => {
  it("is the exact amount in the smallest unit", () => {
    assert.strictEqual(
      beside(member(pay, "amount"), "1.5"),
      "1.5 ether, exactly 1500000000000000000 with 18 decimals"
    )
    assert.strictEqual(beside(member(pay, "amount"), "1.5.5"), "")
  })

  it("is the symbol that a known token calls itself by, marked as others' text", () => {
    const tokens = new Map([[`31337:${TOKEN.toLowerCase()}`, { symbol: 'U"S\u202eD', decimals: 6 }]])
    const around = within({ known: { ...KNOWN, tokens }, groups: [] }, { chainId: "31337", token: TOKEN })
    const pieces = besideWords(member(pay, "amount"), "1.5", around)
    assert.strictEqual(pieces[1]?.kind, "foreign")
    assert.strictEqual(sentence(pieces), String.raw`1.5 "U\u{22}S\u{202E}D", exactly 1500000 with 6 decimals`)
  })

  it("says of a token that is not known what the digits would be", () => {
    assert.strictEqual(
      beside(member(pay, "amount"), "15 units", TOKEN),
      "15 in the smallest unit, whose decimals are not known here"
    )
  })

  it("is in the currency that an amount is counted in, with the token's decimals", () => {
    const payout = formFor("prepare_payout")
    const counted = (currency: string, token = NATIVE) => {
      const tokens = new Map([[`31337:${TOKEN.toLowerCase()}`, { symbol: "USDC", decimals: 6 }]])
      const members = { project: { kind: "group" as const, members: { chainId: "31337" } }, token, currency }
      const around = within({ known: { ...KNOWN, tokens }, groups: [] }, members)
      return sentence(besideWords(member(payout, "amount"), "1.5", around))
    }
    assert.strictEqual(counted("2"), "1.5 US dollars, exactly 1500000000000000000 with 18 decimals")
    assert.strictEqual(counted("61166"), "1.5 ether, exactly 1500000000000000000 with 18 decimals")
    assert.strictEqual(counted("1", TOKEN), "1.5 ether, exactly 1500000 with 6 decimals")
    assert.strictEqual(counted("77", TOKEN), "1.5 units of currency 77, exactly 1500000 with 6 decimals")
    assert.strictEqual(
      counted(String(BigInt(TOKEN) & 0xffffffffn), TOKEN),
      '1.5 "USDC", exactly 1500000 with 6 decimals'
    )
  })

  it("is the percent of a share, the seconds of a time and a duration, and the name of a currency", () => {
    assert.strictEqual(beside(member(pay, "slippageBps"), "125"), "1.25 %, 125 of 10000")
    assert.strictEqual(beside(member(pay, "slippageBps"), ""), "usually 1 %, 100 of 10000")
    const reserved = member(ruleset, "metadata", "reservedPercent")
    assert.strictEqual(beside(reserved, ""), "a count of parts, or a percentage such as 12.5%")
    assert.strictEqual(beside(member(ruleset, "duration"), "7 days"), "7 days, 604800 seconds")
    assert.strictEqual(beside(member(ruleset, "duration"), ""), "until another ruleset is queued")
    assert.match(
      beside(member(ruleset, "mustStartAtOrAfter"), "1900000000"),
      /^1900000000 seconds since 1970, 2030-03-17T17:46:40Z$/
    )
    assert.strictEqual(beside(member(ruleset, "metadata", "baseCurrency"), "2"), "US dollars")
    const groupId = member(ruleset, "splitGroups", "each", "groupId")
    assert.strictEqual(beside(groupId, "1"), "the reserved tokens")
    assert.strictEqual(beside(groupId, String(BigInt(NATIVE))), "payouts in the chain's own token")
  })

  it("offers the wallet, and the chain's own token where a token is asked for", () => {
    assert.deepStrictEqual(offersFor(member(pay, "beneficiary"), AROUND), [
      { label: "My wallet", text: KNOWN.wallet }
    ])
    assert.deepStrictEqual(offersFor(member(pay, "token"), AROUND), [
      { label: "The chain's own token", text: NATIVE }
    ])
  })
})

describe("numbers", () => {
  it("are exact in words", () => {
    assert.strictEqual(shareText(333_333_333n, 1_000_000_000), "33.3333333 %")
    assert.strictEqual(shareText(1n, 1_000_000_000), "0.0000001 %")
    assert.strictEqual(spanText(90_061n), "1 day 1 hour 1 minute 1 second")
    assert.strictEqual(spanOf("3 Hours"), "10800")
    assert.isUndefined(spanOf("3 months"))
    for (const seconds of ["1900000000", "0", "253402300799"])
      assert.strictEqual(secondsOf(localText(seconds)), seconds)
    assert.strictEqual(localText("281474976710655"), "281474976710655")
  })

  it("that are times stay what they are in the hour that a clock repeats", () => {
    const zone = process.env.TZ
    process.env.TZ = "America/New_York"
    try {
      for (const hour of [4, 5, 6, 7]) {
        const seconds = String(Date.UTC(2030, 10, 3, hour, 30) / 1000)
        assert.strictEqual(secondsOf(localText(seconds)), seconds)
      }
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })
})

describe("a list", () => {
  const list = (...drafts: ReadonlyArray<string>): ListDraft => withRows({ kind: "list", rows: [] }, drafts)
  const texts = ({ rows }: ListDraft) => rows.map(({ draft }) => draft)

  it("is added to, taken from and put in order, each row keeping its key", () => {
    const three = list("a", "b", "c")
    assert.deepStrictEqual(texts(withoutRow(three, 1)), ["a", "c"])
    const raised = withRowRaised(three, 2)
    assert.deepStrictEqual(raised.rows, [
      { key: 0, draft: "a" },
      { key: 2, draft: "c" },
      { key: 1, draft: "b" }
    ])
    assert.deepStrictEqual(withRowRaised(three, 0), three)
    assert.deepStrictEqual(
      withRows(withoutRow(three, 1), ["d"]).rows.map(({ key }) => key),
      [0, 2, 3]
    )
  })
})

describe("a refusal of the service", () => {
  const problem = {
    type: "about:blank",
    title: "Invalid input",
    status: 400,
    detail: "A member does not fit.",
    code: "INVALID_INPUT" as const,
    requestId: "r",
    retryable: false
  }

  it("is shown at the member that it names, by path or pointer", () => {
    assert.deepStrictEqual(stepsOf("rulesetConfigurations[0].metadata"), [
      "rulesetConfigurations",
      0,
      "metadata"
    ])
    for (const path of ["rulesetConfigurations[0].weight", "/rulesetConfigurations/0/weight"])
      assert.deepInclude(refusedMember(queue, { ...problem, context: { path, expected: "less" } }), {
        path: ["rulesetConfigurations", 0, "weight"],
        label: "Issuance",
        words: "The service refused this: A member does not fit. Expected: less."
      })
  })

  it("shows every character of what others wrote into it", () => {
    const said = { ...problem, detail: "It says \u202eno\u0000.", context: { path: "memo" } }
    assert.strictEqual(
      refusedMember(pay, said)?.words,
      String.raw`The service refused this: It says \u{202E}no\u{0}.`
    )
  })

  it("is shown at the nearest member that the form has, and at none where it names none", () => {
    const deeper = refusedMember(queue, {
      ...problem,
      context: { path: "rulesetConfigurations[0].weight.other" }
    })
    assert.deepStrictEqual(deeper?.path, ["rulesetConfigurations", 0, "weight"])
    assert.isUndefined(refusedMember(queue, { ...problem, context: { path: "other" } }))
    assert.isUndefined(refusedMember(queue, problem))
    assert.deepStrictEqual(refusedMember(pay, { ...problem, code: "INVALID_MEMO" })?.path, ["memo"])
  })
})

describe("the operations", () => {
  it("all have a name and a group of their own words", () => {
    for (const id of planIds) assert.notStrictEqual(operationWords(id).group, "Added to this service", id)
    assert.deepInclude(operationWords("prepare_my_vote"), {
      title: "My vote",
      group: "Added to this service"
    })
  })

  it("are found by words in any order", () => {
    const found = (text: string) => planIds.filter(id => isFound(text, operationWords(id), ""))
    assert.deepStrictEqual(found("tokens redeem"), ["prepare_cash_out"])
    assert.deepStrictEqual(found("bridge"), ["prepare_bridge_claim", "prepare_accounting_sync"])
    assert.lengthOf(found(" "), 18)
  })

  it("ask in their own order, and lose no member by it", () => {
    const names = (form: InputField) =>
      (form.shape.kind === "group" ? form.shape.fields : []).map(({ name }) => name)
    const own =
      pay.shape.kind === "group" ? ordered("prepare_pay", pay.shape.fields).map(({ name }) => name) : []
    assert.deepStrictEqual(own.slice(0, 3), ["project", "token", "amount"])
    assert.sameMembers(own, names(pay))
  })
})
