/** Answers as they are told under each lie. */
import { randomBytes, randomUUID } from "node:crypto"
import { type Address, bytesToHex, type Hex } from "viem"
import type { BundleAnswer, PaymentInfo, PublicationAnswer, TransactionAnswer } from "./Answers.ts"
import type { Lie } from "./Faults.ts"
import { paymentData } from "./PaymentContract.ts"

type Told<Answer> = (answer: Answer) => Answer
type Lies<Answer> = Partial<Readonly<Record<Lie, Told<Answer>>>>

const LARGEST = String(2n ** 256n - 1n)
const ELSEWHERE: Address = "0x00000000000000000000000000000000000000bb"
const OTHER_CHAINS = [1, 10, 8453, 42_161]
const LONG_STATE = "x".repeat(10_240)

const flipped = (data: Hex): Hex => `0x${data.slice(2, -1)}${data.endsWith("0") ? "1" : "0"}`

const ids =
  (change: Told<ReadonlyArray<string>>): Told<PublicationAnswer> =>
  answer => ({
    ...answer,
    tx_uuids: change(answer.tx_uuids ?? [])
  })

const payments =
  (change: (payment: PaymentInfo) => ReadonlyArray<PaymentInfo>): Told<PublicationAnswer> =>
  answer => ({ ...answer, payment_info: answer.payment_info.flatMap(change) })

const payment = (members: (payment: PaymentInfo) => Partial<PaymentInfo>): Told<PublicationAnswer> =>
  payments(each => [{ ...each, ...members(each) }])

const fewer = <Item>(items: ReadonlyArray<Item>) => items.slice(1)
const doubled = <Item>(items: ReadonlyArray<Item>) =>
  items.length > 1 ? items.flatMap(() => items.slice(0, 1)) : [...items, ...items]
const reordered = <Item>(items: ReadonlyArray<Item>) => items.toReversed()

const ofPublication: Lies<PublicationAnswer> = {
  "bundle-id": answer => ({ ...answer, bundle_uuid: randomUUID() }),
  "ids-fewer": ids(fewer),
  "ids-more": ids(all => [...all, randomUUID()]),
  "ids-doubled": ids(doubled),
  "ids-reordered": ids(reordered),
  "ids-disagreeing": answer => ({ ...answer, txn_uuids: (answer.tx_uuids ?? []).map(() => randomUUID()) }),
  "payment-target": payment(() => ({ target: ELSEWHERE })),
  "payment-token": payment(() => ({ token: ELSEWHERE })),
  "payment-calldata": payment(({ calldata }) => ({ calldata: `0xdeadbeef${calldata.slice(10)}` })),
  "payment-bundle": payment(({ payment_deadline }) => ({
    calldata: paymentData(randomUUID(), Number(payment_deadline))
  })),
  "payment-deadline": payment(({ payment_deadline }) => ({
    payment_deadline: Number(payment_deadline) + 60
  })),
  "payment-zero": payment(() => ({ amount: "0" })),
  "payment-negative": payment(({ amount }) => ({ amount: `-${amount}` })),
  "payment-largest": payment(() => ({ amount: LARGEST })),
  "payment-chain-twice": payments(each => [each, each]),
  "payment-chain-unknown": payment(() => ({ chain: 999_999 })),
  "payments-five": payments(each => [each, ...OTHER_CHAINS.map(chain => ({ ...each, chain }))]),
  "other-forms": ({ tx_uuids, ...answer }) => ({
    ...answer,
    ...(tx_uuids && { txn_uuids: tx_uuids }),
    payment_info: answer.payment_info.map(each => ({
      ...each,
      payment_deadline: new Date(Number(each.payment_deadline) * 1000).toISOString()
    }))
  })
}

const transactions =
  (change: Told<ReadonlyArray<TransactionAnswer>>): Told<BundleAnswer> =>
  answer => ({
    ...answer,
    transactions: change(answer.transactions)
  })

const each = (change: Told<TransactionAnswer>): Told<BundleAnswer> => transactions(all => all.map(change))

/** Of the first one: a lie about one of several. */
const request = (
  change: (request: TransactionAnswer["request"]) => Partial<TransactionAnswer["request"]>
): Told<BundleAnswer> =>
  transactions(all =>
    all.map((item, index) =>
      index > 0 ? item : { ...item, request: { ...item.request, ...change(item.request) } }
    )
  )

const success = (hash: Hex | undefined): TransactionAnswer["status"] => ({
  state: "Success",
  data: hash === undefined ? {} : { hash }
})

const otherForm: Told<TransactionAnswer> = ({ status, ...item }) => ({
  ...item,
  status: { ...status, data: status.data?.hash ? { transaction: { hash: status.data.hash } } : status.data }
})

const ofBundle = (hash: Hex | undefined): Lies<BundleAnswer> => {
  const told = each(item => ({ ...item, status: success(hash) }))
  return {
    "bundle-id": answer => ({ ...answer, bundle_uuid: randomUUID() }),
    "ids-fewer": transactions(fewer),
    "ids-more": transactions(all => [
      ...all,
      ...all.slice(0, 1).map(item => ({ ...item, tx_uuid: randomUUID() }))
    ]),
    "ids-doubled": transactions(doubled),
    "ids-reordered": transactions(reordered),
    "other-forms": each(otherForm),
    "request-byte": request(({ data }) => ({ data: flipped(data) })),
    "request-value": request(({ value }) => ({ value: String(BigInt(value) + 1n) })),
    "request-chain": request(() => ({ chain: 1 })),
    "success-without-hash": each(item => ({ ...item, status: success(undefined) })),
    "hash-foreign": told,
    "hash-reverted": told,
    "hash-unmined": told,
    "hash-other-chain": told,
    "hash-shared": answer => {
      const first = answer.transactions[0]?.status.data?.hash ?? bytesToHex(randomBytes(32))
      return each(item => ({ ...item, status: success(first) }))(answer)
    },
    "state-long": each(item => ({ ...item, status: { ...item.status, state: LONG_STATE } })),
    "quote-changes": answer => ({
      ...answer,
      payment_info: answer.payment_info.map(item => ({
        ...item,
        amount: String(BigInt(item.amount) + BigInt(`0x${randomBytes(4).toString("hex")}`) + 1n)
      }))
    })
  }
}

const under = <Answer>(answer: Answer, lies: ReadonlyArray<Lie>, known: Lies<Answer>): Answer =>
  lies.reduce((said, lie) => known[lie]?.(said) ?? said, answer)

export const publicationUnder = (answer: PublicationAnswer, lies: ReadonlyArray<Lie>): PublicationAnswer =>
  under(answer, lies, ofPublication)

/** A hash that was made for the lie, where one needs it. */
export const bundleUnder = (
  answer: BundleAnswer,
  lies: ReadonlyArray<Lie>,
  hash: Hex | undefined
): BundleAnswer => under(answer, lies, ofBundle(hash))
