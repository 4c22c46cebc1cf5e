/** Makes the calls of the program as its creation code would. */
import { decodeAbiParameters, encodeAbiParameters, getAddress, type Hex } from "viem"
import { DEPENDENT_CALLS } from "../../src/protocol/DependentCalls.ts"

const CALLS = [
  {
    type: "tuple[]",
    components: [
      { name: "to", type: "address" },
      { name: "data", type: "bytes" },
      {
        name: "words",
        type: "tuple[]",
        components: [
          { name: "call", type: "uint256" },
          { name: "index", type: "uint256" },
          { name: "at", type: "uint256" },
          { name: "minuend", type: "uint256" }
        ]
      }
    ]
  }
] as const

const ANSWERS = [
  {
    type: "tuple[]",
    components: [
      { name: "told", type: "bool" },
      { name: "data", type: "bytes" }
    ]
  }
] as const

const TARGET = 2n ** 256n - 1n

interface Word {
  readonly call: bigint
  readonly index: bigint
  readonly at: bigint
  readonly minuend: bigint
}

interface Call {
  readonly to: string
  readonly data: string
  readonly words: ReadonlyArray<Word>
}

interface Answer {
  readonly told: boolean
  readonly data: Hex
}

const wordIn = (answer: Answer | undefined, { index, minuend }: Word): string | undefined => {
  const digits = answer?.told ? answer.data.slice(2).slice(Number(index) * 64, (Number(index) + 1) * 64) : ""
  if (digits.length < 64) return undefined
  const left = minuend - BigInt(`0x${digits}`)
  if (minuend === 0n) return digits
  return left < 0n ? undefined : left.toString(16).padStart(64, "0")
}

const prepared = ({ to, data, words }: Call, answers: ReadonlyArray<Answer>) => {
  let made = { to, data }
  for (const wanted of words) {
    const { call, at } = wanted
    const word = wordIn(answers[Number(call)], wanted)
    if (word === undefined) return undefined
    const start = 2 + 2 * Number(at)
    made =
      at === TARGET
        ? { ...made, to: getAddress(`0x${word.slice(24)}`) }
        : { ...made, data: `${made.data.slice(0, start)}${word}${made.data.slice(start + 64)}` }
  }
  return made
}

export const isDependentCalls = (code: string): boolean => code.startsWith(DEPENDENT_CALLS)

/** `told` gives nothing where a call fails. */
export const answerDependentCalls = (
  code: string,
  told: (to: string, data: string) => Hex | undefined
): Hex => {
  const [calls] = decodeAbiParameters(CALLS, `0x${code.slice(DEPENDENT_CALLS.length)}`)
  const answers: Array<Answer> = []
  for (const each of calls) {
    const made = prepared(each, answers)
    const data = made === undefined ? undefined : told(made.to, made.data)
    answers.push(data === undefined ? { told: false, data: "0x" } : { told: true, data })
  }
  return encodeAbiParameters(ANSWERS, [answers])
}
