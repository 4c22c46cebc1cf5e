import { assert, describe, it } from "vitest"
import type { CallOutcome } from "../../src/chain/ChainClient.ts"
import {
  all,
  type Inquiry,
  inquireCall,
  lead,
  mapInquiry,
  settled,
  thenAsking,
  zipWith
} from "../../src/protocol/Inquiry.ts"

const at = (digit: string) => ({ to: `0x${digit.repeat(40)}` as const, data: "0x" as const })

const returned = (data: `0x${string}`): CallOutcome => ({ _tag: "Returned", data })

const dataOf = (outcome: CallOutcome) => (outcome._tag === "Returned" ? outcome.data : outcome._tag)

/** Answers every question by the first digit of its address, counting the rounds. */
const run = <A>(inquiry: Inquiry<A>, answers: Readonly<Record<string, CallOutcome>>) => {
  const rounds: Array<ReadonlyArray<string>> = []
  let current = inquiry
  while (current._tag === "Open") {
    const digits = current.questions.map(question =>
      question._tag === "Call" ? question.request.to.charAt(2) : question.address.charAt(2)
    )
    rounds.push(digits)
    current = current.resume(digits.map(digit => answers[digit] ?? { _tag: "Refused", code: 1 }))
  }
  return { value: current.value, rounds }
}

const answers = { "1": returned("0x01"), "2": returned("0x02"), "3": returned("0x03"), "4": returned("0x04") }

const following = (guess?: CallOutcome) =>
  thenAsking(lead(at("1"), guess), first =>
    mapInquiry(inquireCall(at(first._tag === "Returned" && first.data === "0x01" ? "2" : "3")), second => [
      dataOf(first),
      dataOf(second)
    ])
  )

describe("an inquiry", () => {
  it("asks what waits for no answer in one round", () => {
    const asked = zipWith(all([inquireCall(at("1")), inquireCall(at("2"))]), following(), (pair, last) => [
      pair,
      last
    ])
    assert.deepEqual(run(asked, answers).rounds, [["1", "2", "1"], ["2"]])
    assert.deepEqual(run(all([]), answers), { value: [], rounds: [] })
  })

  it("gives each its own answer", () => {
    const both = zipWith(following(), mapInquiry(inquireCall(at("4")), dataOf), (pair, four) => [
      ...pair,
      four
    ])
    assert.deepEqual(run(both, answers).value, ["0x01", "0x02", "0x04"])
  })

  it("asks what follows from a right guess at once", () => {
    const { value, rounds } = run(following(returned("0x01")), answers)
    assert.deepEqual(value, ["0x01", "0x02"])
    assert.deepEqual(rounds, [["1", "2"]])
  })

  it("never lets a wrong guess into the value", () => {
    for (const answer of [
      returned("0x09"),
      { _tag: "Reverted", data: "0x01" },
      { _tag: "Refused", code: 3 }
    ] as const) {
      const { value, rounds } = run(following(returned("0x01")), { ...answers, "1": answer })
      assert.deepEqual(value, [dataOf(answer), "0x03"])
      assert.deepEqual(rounds, [["1", "2"], ["3"]])
    }
  })

  it("goes on guessing through whatever is made of a guess", () => {
    const named = mapInquiry(
      zipWith(lead(at("1"), returned("0x01")), settled("x"), (a, b) => ({ a, b })),
      ({ a }) => ({
        digit: dataOf(a) === "0x01" ? "2" : "3"
      })
    )
    const asked = thenAsking(named, ({ digit }) =>
      thenAsking(lead(at(digit), returned("0x02")), second =>
        mapInquiry(inquireCall(at("4")), () => dataOf(second))
      )
    )
    assert.deepEqual(run(asked, answers), { value: "0x02", rounds: [["1", "2", "4"]] })
    const other = run(asked, { ...answers, "1": returned("0x05") })
    assert.deepEqual(other, { value: "0x03", rounds: [["1", "2", "4"], ["3", "4"], ["4"]] })
  })

  it("takes a guess for one of two as no guess for both", () => {
    const pair = zipWith(
      lead(at("1"), returned("0x01")),
      inquireCall(at("2")),
      (a, b) => [dataOf(a), dataOf(b)] as const
    )
    const asked = thenAsking(pair, ([, second]) =>
      mapInquiry(inquireCall(at("4")), four => [second, dataOf(four)])
    )
    assert.deepEqual(run(asked, answers), { value: ["0x02", "0x04"], rounds: [["1", "2"], ["4"]] })
  })
})
