/** What seeding is made of: calls of the first account, and the ruleset that others vary. */
import { type Address, type Hex, parseEther, zeroAddress } from "viem"

export interface SandboxCall {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

export interface SandboxAccounts {
  /** Deployed every contract, owns them and every project. */
  readonly owner: Address
  /** Holds the demo project's first tokens. */
  readonly holder: Address
  /** Receives the demo project's splits. */
  readonly beneficiary: Address
}

export const NATIVE_TOKEN: Address = "0x000000000000000000000000000000000000eeee"
export const NATIVE_CURRENCY = 61_166
export const ETH_CURRENCY = 1

export const metadata = {
  reservedPercent: 0,
  cashOutTaxRate: 0,
  baseCurrency: ETH_CURRENCY,
  pausePay: false,
  pauseCreditTransfers: false,
  allowOwnerMinting: true,
  allowSetCustomToken: false,
  allowTerminalMigration: false,
  allowSetTerminals: true,
  allowSetController: false,
  allowAddAccountingContext: true,
  allowAddPriceFeed: true,
  ownerMustSendPayouts: false,
  holdFees: false,
  scopeCashOutsToLocalBalances: false,
  useDataHookForPay: false,
  useDataHookForCashOut: false,
  dataHook: zeroAddress,
  metadata: 0
}

export const ruleset = {
  mustStartAtOrAfter: 0,
  duration: 0,
  weight: parseEther("1000"),
  weightCutPercent: 0,
  approvalHook: zeroAddress,
  metadata,
  splitGroups: [],
  fundAccessLimitGroups: []
}

export const nativeTerminal = (terminal: Address) => ({
  terminal,
  accountingContextsToAccept: [{ token: NATIVE_TOKEN, decimals: 18, currency: NATIVE_CURRENCY }]
})

export const call = (to: Address, data: Hex, value = 0n): SandboxCall => ({ to, data, value })
