/** What the provider says of a bundle when it does not lie. */
import type { Address, Hex } from "viem"
import type { Bundle } from "./Book.ts"
import { paymentData } from "./PaymentContract.ts"
import { CHAIN_ID, type ProviderRequest } from "./Publication.ts"

const NATIVE_TOKEN: Address = "0x000000000000000000000000000000000000EEEe"

export interface PaymentInfo {
  readonly chain: number
  readonly target: Address
  readonly token: Address
  readonly amount: string
  readonly calldata: Hex
  readonly payment_deadline: number | string
}

export interface PublicationAnswer {
  readonly bundle_uuid: string
  readonly tx_uuids?: ReadonlyArray<string>
  readonly txn_uuids?: ReadonlyArray<string>
  readonly payment_info: ReadonlyArray<PaymentInfo>
}

interface Status {
  readonly state: string
  readonly data: null | { readonly hash?: Hex; readonly transaction?: { readonly hash: Hex } }
}

export interface TransactionAnswer {
  readonly tx_uuid: string
  readonly request: ProviderRequest
  readonly status: Status
}

export interface BundleAnswer {
  readonly bundle_uuid: string
  readonly transactions: ReadonlyArray<TransactionAnswer>
  readonly payment_info: ReadonlyArray<PaymentInfo>
}

const paymentInfo = ({ uuid, amount, deadline }: Bundle, target: Address): PaymentInfo => ({
  chain: CHAIN_ID,
  target,
  token: NATIVE_TOKEN,
  amount,
  calldata: paymentData(uuid, deadline),
  payment_deadline: deadline
})

export const publicationAnswer = (bundle: Bundle, target: Address): PublicationAnswer => ({
  bundle_uuid: bundle.uuid,
  tx_uuids: bundle.transactions.map(({ uuid }) => uuid),
  payment_info: [paymentInfo(bundle, target)]
})

const STATES = { waiting: "Pending", sent: "Submitted", success: "Success", failed: "Failed" } as const

/** The last transaction that carried it speaks for it. */
const statusOf = ({ sends }: Bundle, index: number): Status => {
  const carrying = sends.filter(({ carries }) => carries.includes(index))
  const send = carrying.findLast(({ hash }) => hash !== undefined)
  if (send?.hash === undefined) return { state: "Pending", data: null }
  return { state: STATES[send.state], data: { hash: send.hash } }
}

export const bundleAnswer = (bundle: Bundle, target: Address): BundleAnswer => ({
  bundle_uuid: bundle.uuid,
  transactions: bundle.transactions.map(({ uuid, request }, index) => ({
    tx_uuid: uuid,
    request,
    status: statusOf(bundle, index)
  })),
  payment_info: [paymentInfo(bundle, target)]
})
