/** What a session's operations may use and cost, as the service takes it. */

import { addressOf } from "../../client/SignRequest.ts"
import type { SessionInput } from "../../sessions/SessionInput.ts"
import type { FieldReading } from "./Reading.ts"
import type { DraftGas } from "./SessionDraft.ts"

type GasBudget = SessionInput["gasBudget"]

const GWEI_DECIMALS = 9
const ETHER_DECIMALS = 18
const MOST_DATA = 1_024

/** What is left empty follows from the calls. */
const orElse = (
  reading: FieldReading,
  field: string,
  text: string,
  [decimals, other]: readonly [number, bigint]
) => (text === "" ? other : reading.amount(field, text, decimals))

export const gasBudgetOf = (reading: FieldReading, gas: DraftGas, calls: number): GasBudget => {
  const perOperation = reading.amount("gas-operation", gas.perOperation, 0)
  const price = reading.amount("gas-price", gas.price, GWEI_DECIMALS)
  const tip = orElse(reading, "gas-tip", gas.tip, [GWEI_DECIMALS, price])
  if (tip > price) reading.fault("gas-tip", "At most the price.")
  const total = orElse(reading, "gas-total", gas.total, [0, perOperation * BigInt(calls)])
  if (total < perOperation) reading.fault("gas-total", "At least what one operation may use.")
  const cost = orElse(reading, "gas-cost", gas.cost, [ETHER_DECIMALS, total * price])
  if (cost < perOperation * price) reading.fault("gas-cost", "At least what one operation may cost.")
  const isPaid = gas.paymaster !== ""
  return {
    paymaster: isPaid ? addressOf(gas.paymaster) : null,
    paymasterDataLength: isPaid ? reading.whole("gas-data", gas.dataLength, [0, MOST_DATA]) : 0,
    maxGasPerOperation: String(perOperation),
    maxFeePerGas: String(price),
    maxPriorityFeePerGas: String(tip),
    totalGasLimit: String(total),
    totalCostLimit: String(cost)
  }
}
