/** A payment: the terminal's one Pay event with exactly the planned project, payer, beneficiary, memo, metadata and amount. */
import { decodeEventLog, parseAbi } from "viem"
import type { RawLog } from "../../chain/ChainClient.ts"
import type { Semantic } from "../../plans/Plan.ts"
import type { Effected, Predicate } from "./Verify.ts"

const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000eeee"

const event = parseAbi([
  "event Pay(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address payer, address beneficiary, uint256 amount, uint256 newlyIssuedTokenCount, string memo, bytes metadata, address caller)"
])

const TOPIC = "0x133161f1c9161488f777ab9a26aae91d47c0d9a3fafb398960f138db02c73797"

const decoded = (log: RawLog) => {
  const [first, ...rest] = log.topics
  if (first !== TOPIC) return []
  try {
    return [
      decodeEventLog({ abi: event, eventName: "Pay", data: log.data, topics: [first, ...rest], strict: true })
        .args
    ]
  } catch {
    return []
  }
}

const textOf = (value: unknown): string => String(value).toLowerCase()

const paymentsOf = ({ call, account, logs }: Effected) => {
  const [projectId, , , beneficiary, , memo, metadata] = call.decoded.args
  return logs
    .filter(log => log.address === textOf(call.to))
    .flatMap(decoded)
    .filter(
      pay =>
        String(pay.projectId) === projectId &&
        textOf(pay.payer) === textOf(account) &&
        textOf(pay.caller) === textOf(account) &&
        textOf(pay.beneficiary) === textOf(beneficiary) &&
        pay.memo === memo &&
        textOf(pay.metadata) === textOf(metadata)
    )
}

const amountFits = ({ call }: Effected, amount: bigint): boolean => {
  const [, token, planned] = call.decoded.args
  if (textOf(token) === NATIVE_TOKEN) return amount === BigInt(call.value)
  return amount > 0n && amount <= BigInt(String(planned))
}

const judge = (effected: Effected): Semantic => {
  const payments = paymentsOf(effected)
  const [payment] = payments
  if (payment === undefined || payments.length > 1)
    return {
      status: "unknown",
      verifier: "pay",
      reason: `${payments.length} matching Pay events instead of one`
    }
  if (!amountFits(effected, payment.amount))
    return { status: "failed", verifier: "pay", reason: "the Pay event has another amount" }
  const { projectId, beneficiary, amount, newlyIssuedTokenCount } = payment
  return {
    status: "verified",
    verifier: "pay",
    events: [
      {
        event: "Pay",
        projectId: String(projectId),
        beneficiary,
        amount: String(amount),
        newlyIssuedTokenCount: String(newlyIssuedTokenCount)
      }
    ]
  }
}

export const pay: Predicate = {
  name: "pay",
  appliesTo: ({ decoded: { contractId, function: signature } }) =>
    contractId.endsWith(":JBMultiTerminal") && signature === PAY,
  judge
}
