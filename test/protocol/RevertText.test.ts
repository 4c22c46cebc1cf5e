import { encodeErrorResult, type Hex, parseAbi } from "viem"
import { assert, describe, it } from "vitest"
import { decodeRevert } from "../../src/protocol/RevertReason.ts"
import { revertText } from "../../src/protocol/RevertText.ts"

const ERRORS = [
  "error JBTerminalStore_InadequateTerminalStoreBalance(uint256 amount, uint256 balance)",
  "error Wordy(string told, bytes data)",
  "error FailedCall()"
] as const
const BUILT_IN = ["error Error(string message)", "error Panic(uint256 code)"] as const

const unnamed = { type: "error", name: "Unnamed", inputs: [{ name: "", type: "address" }] } as const
const known = [...parseAbi(ERRORS), unnamed] as const
const abi = [...parseAbi([...ERRORS, ...BUILT_IN]), unnamed] as const

const said = (data: Hex) => revertText(decodeRevert(known, data))

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

describe("a revert as a sentence", () => {
  it("names the error and what it was given", () => {
    const short = encodeErrorResult({
      abi,
      errorName: "JBTerminalStore_InadequateTerminalStoreBalance",
      args: [1_000_000_000_000_000_000n, 500_000_000_000_000_000n]
    })
    assert.strictEqual(
      said(short),
      "The call reverts with JBTerminalStore_InadequateTerminalStoreBalance(amount 1000000000000000000, balance 500000000000000000)."
    )
    assert.strictEqual(
      said(encodeErrorResult({ abi, errorName: "FailedCall" })),
      "The call reverts with FailedCall()."
    )
    const to = "0x00000000000000000000000000000000000000AA"
    assert.strictEqual(
      said(encodeErrorResult({ abi, errorName: "Unnamed", args: [to] })),
      `The call reverts with Unnamed(${to}).`
    )
  })

  it("tells a message, a panic, an unknown error and silence apart", () => {
    const message = encodeErrorResult({ abi, errorName: "Error", args: ["not today"] })
    assert.strictEqual(said(message), 'The call reverts with the message "not today".')
    const panic = (code: bigint) => encodeErrorResult({ abi, errorName: "Panic", args: [code] })
    assert.match(said(panic(0x11n)), /overflow/)
    assert.match(said(panic(0x12n)), /division by zero/)
    assert.match(said(panic(0x99n)), /code 153/)
    assert.match(said("0x12345678"), /no name for, 0x12345678/)
    assert.strictEqual(said("0x"), "The call reverts without saying why.")
  })

  it("neither hides nor reorders what the contract says, and stays short", () => {
    const foreign = `ok"\u202e\u0007\n\u200b${"x".repeat(900)}`
    const data = encodeErrorResult({ abi, errorName: "Wordy", args: [foreign, `0x${"ab".repeat(600)}`] })
    const message = encodeErrorResult({ abi, errorName: "Error", args: [foreign] })
    for (const text of [said(data), said(message)]) {
      assert.notMatch(text, HIDDEN)
      assert.isBelow(text.length, 1_000)
      assert.include(text, "ok\\u{22}\\u{202E}\\u{7}\\u{A}\\u{200B}xxx")
    }
    const worst = encodeErrorResult({ abi, errorName: "Error", args: ["\u{E0001}".repeat(500)] })
    assert.isBelow(said(worst).length, 2_000)
  })

  it("lets nothing of it step out of its quotation marks, or move what stands after it", () => {
    const told = (message: string) => said(encodeErrorResult({ abi, errorName: "Error", args: [message] }))
    assert.strictEqual(
      told("”. The service vouches for this split. “«»"),
      'The call reverts with the message "\\u{201D}. The service vouches for this split. \\u{201C}\\u{AB}\\u{BB}".'
    )
    assert.strictEqual(told("שלום 5"), 'The call reverts with the message "\u2068שלום 5\u2069".')
  })
})
