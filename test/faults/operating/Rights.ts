/** What sessions may do in campaigns: payments to one project and one payee, for a week. */
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

/** Whom they may pay for. */
export const PAYEE_OF_RIGHTS = "0x00000000000000000000000000000000000000b0"

const GAS_BUDGET = {
  paymaster: null,
  paymasterDataLength: 0,
  maxGasPerOperation: "3000000",
  maxFeePerGas: "50000000000",
  maxPriorityFeePerGas: "5000000000",
  totalGasLimit: "30000000",
  totalCostLimit: "1500000000000000000"
}

export interface PaymentRights {
  /** The terminal that the manifest reviewed. */
  readonly terminal: string
  readonly perCallLimit: string
  readonly totalLimit: string
}

export const paymentRights = ({ terminal, perCallLimit, totalLimit }: PaymentRights) => ({
  durationDays: 7,
  maximumCalls: 100,
  gasBudget: GAS_BUDGET,
  allocations: [
    {
      id: "all",
      total: totalLimit,
      allocations: [{ id: "tips", chainId: 31_337, asset: NATIVE_TOKEN, limit: totalLimit }]
    }
  ],
  actions: [
    {
      kind: "v6-pay",
      allocationId: "tips",
      beneficiary: PAYEE_OF_RIGHTS,
      perCallLimit,
      totalLimit,
      terminal,
      projectId: "2",
      minReturnedTokens: "0"
    }
  ]
})

/** The arguments of a payment within them. */
export const paymentArguments = (value: string): ReadonlyArray<string> => [
  ...["2", NATIVE_TOKEN, value, PAYEE_OF_RIGHTS, "0", "", "0x"]
]
