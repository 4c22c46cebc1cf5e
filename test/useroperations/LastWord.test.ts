/** A paymaster's last word that differs from its first is asked for anew, of an operation that is else the same. */
import { Effect, Either } from "effect"
import { assert, it } from "vitest"
import type { PaymasterAnswer } from "../../src/useroperations/Paymaster.ts"
import { lastWord, type PaidUserOperation } from "../../src/useroperations/QuotePaymaster.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"

const PAYMASTER = "0x00000000000000000000000000000000000000b1"
const PLACE = { chainId: 31_337, entryPoint: ENTRY_POINT }

const asked: PaidUserOperation = {
  sender: "0x00000000000000000000000000000000000000A1",
  nonce: "0x5",
  callData: "0xdeadbeef",
  callGasLimit: "0x30d40",
  verificationGasLimit: "0x186a0",
  preVerificationGas: "0xea60",
  maxFeePerGas: "0xb2d05e00",
  maxPriorityFeePerGas: "0x3b9aca00",
  paymaster: PAYMASTER,
  paymasterVerificationGasLimit: "0xea60",
  paymasterPostOpGasLimit: "0x7530",
  paymasterData: "0x1234",
  signature: "0x"
}

/** The operation that is paid for, where the last words are these in their order. */
const paidAfter = (...words: ReadonlyArray<Omit<PaymasterAnswer, "paymaster">>) => {
  const rest = words.values()
  const data = () =>
    Effect.sync(
      (): PaymasterAnswer => ({
        paymaster: PAYMASTER,
        ...(rest.next().value ?? assert.fail("asked too often"))
      })
    )
  return Effect.runPromise(Effect.either(lastWord({ stub: data, data }, PLACE, asked)))
}

const LONGER = { paymasterData: "0x123456" } as const

it("a word of another length, which says nothing of gas, leaves the paymaster the gas that it had", async () => {
  assert.deepStrictEqual(
    await paidAfter(LONGER, LONGER),
    Either.right({ ...asked, ...LONGER, verificationGasLimit: "0x19a28" })
  )
})

it("of two limits, the one that a word does not say stays, and the other is as it says", async () => {
  const { paymasterData } = asked
  const more = { paymasterPostOpGasLimit: "0x9c40" } as const
  assert.deepStrictEqual(
    await paidAfter({ paymasterData, ...more }, { paymasterData }),
    Either.right({ ...asked, ...more, verificationGasLimit: "0x19a28" })
  )
})
