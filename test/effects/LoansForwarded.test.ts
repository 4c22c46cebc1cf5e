/** The loans contract takes the forwarder's word for who asks. */
import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { beneficiary, owner, stranger } from "../sandbox/support/Sandbox.ts"
import { LOANS } from "./support/ContractIds.ts"
import { callOf, forwardedBy, judgedOn, type Planned, startLive } from "./support/Live.ts"
import { NATIVE } from "./support/Receipts.ts"

const REVNET = 4n
const COLLATERAL = parseEther("100")

const live = await startLive()

afterAll(() => live.stop())

const borrowing: Planned = {
  contractId: LOANS,
  function: "borrowFrom",
  args: [REVNET, NATIVE, 0n, COLLATERAL, beneficiary.address, 25n, owner.address]
}

const repaying = (loanId: unknown): Planned => ({
  contractId: LOANS,
  function: "repayLoan",
  args: [
    loanId,
    parseEther("1"),
    COLLATERAL,
    beneficiary.address,
    { sigDeadline: 0n, amount: 0n, expiration: 0n, nonce: 0n, signature: "0x" }
  ],
  value: parseEther("1")
})

describe("through the forwarder", () => {
  it("a loan and its repayment are the signer's", async () => {
    const borrow = callOf(live, borrowing)
    const lent = await forwardedBy(live, stranger, owner, borrow, 0n)
    const judge = (nonce: string, account = owner.address) =>
      judgedOn(live, account, borrow, lent, { forwarded: { nonce } })
    const borrowed = judge("0")
    assert.deepStrictEqual([borrowed.status, borrowed.verifier], ["verified", "borrow"])
    assert.strictEqual(judge("1").status, "unknown")
    assert.strictEqual(judge("0", stranger.address).status, "unknown")
    assert.strictEqual(judgedOn(live, stranger.address, borrow, lent).status, "unknown")

    const repay = callOf(live, repaying(Object(borrowed.events?.[0]).loanId))
    const paid = await forwardedBy(live, stranger, owner, repay, 1n)
    const repaid = judgedOn(live, owner.address, repay, paid, { forwarded: { nonce: "1" } })
    assert.deepStrictEqual([repaid.status, repaid.verifier], ["verified", "repay_loan"])
  })
})
