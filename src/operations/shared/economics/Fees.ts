/** The protocol's fee of 2.5 %, and what is given back of it while it is held. */
import { least, mulDiv } from "./Arithmetic.ts"

const MAX_FEE = 1000n
const FEE = 25n

/** `JBFees.feeAmountFrom`: the fee within an amount. */
export const feeOn = (amount: bigint): bigint => mulDiv(amount, FEE, MAX_FEE)

/** `JBFees.feeAmountResultingIn`: the fee on top of what arrived. */
const feeBehind = (arrived: bigint): bigint => mulDiv(arrived, FEE, MAX_FEE - FEE)

interface HeldFees {
  readonly returned: bigint
  /** The amounts that still owe a fee, oldest first. */
  readonly held: ReadonlyArray<bigint>
  /** What of the added amount no held fee answered to. */
  readonly unused: bigint
}

/** `JBMultiTerminal.addToBalanceOf` with `shouldReturnHeldFees`: oldest first, the last one in part. */
export const returnHeldFees = (amounts: ReadonlyArray<bigint>, added: bigint): HeldFees => {
  let [returned, unused] = [0n, added]
  const held: Array<bigint> = []
  for (const amount of amounts) {
    const arrived = amount - feeOn(amount)
    const covered = least(unused, arrived)
    const fee = covered === arrived ? amount - arrived : feeBehind(covered)
    unused -= covered
    returned += fee
    if (covered !== arrived) held.push(amount - covered - fee)
  }
  return { returned, held, unused }
}
