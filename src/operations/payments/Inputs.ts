import { Address, PositiveUint256 } from "../../values/Scalars.ts"
import { Currency } from "../shared/inputs/Configuration.ts"
import {
  Bytes,
  Memo,
  optional,
  Project,
  SlippageBps,
  SomeAddress,
  withDefault
} from "../shared/inputs/Parts.ts"

/** In bytes. */
export const LONGEST_MEMO = 256
export const MOST_SCENARIOS = 50

export const payInput = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  beneficiary: SomeAddress,
  slippageBps: SlippageBps,
  metadata: withDefault(Bytes, "0x"),
  memo: Memo
}

export const cashOutInput = {
  project: Project,
  holder: Address,
  cashOutCount: PositiveUint256,
  tokenToReclaim: SomeAddress,
  beneficiary: SomeAddress,
  slippageBps: SlippageBps,
  terminal: optional(Address)
}

export const payout = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  currency: Currency,
  slippageBps: SlippageBps,
  terminal: optional(Address)
}
