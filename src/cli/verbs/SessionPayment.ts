/** A payment as a session's policy has it, word for word: its terminal, its beneficiary and the least that comes back are the policy's. */
import type { WalletPlanRequest } from "../../client/SmartAccounts.ts"
import { type KnownRight, knownRight, NATIVE_ASSET } from "../../sessions/KnownRights.ts"
import type { SessionAction } from "../../sessions/PolicyShape.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import type { Connection } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { contractIdOf } from "../Lookup.ts"
import { amountIn } from "./Verb.ts"

const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

/** What the policy says of each payment, or has none of. */
const DECIDED = ["beneficiary", "slippage", "memo", "metadata", "input"]

interface Payment {
  readonly action: SessionAction
  readonly right: Extract<KnownRight, { readonly kind: "v6-pay" }>
}

const paymentsOf = ({ compiled }: PublicSession): ReadonlyArray<Payment> =>
  compiled.policy.actions.flatMap(action => {
    const right = knownRight(action)
    return right?.kind === "v6-pay" ? [{ action, right }] : []
  })

const meant = (session: PublicSession, input: Input): Payment => {
  const project = input.value("project")
  const token = input.value("token") === "native" ? NATIVE_ASSET : input.address("token")
  const found = paymentsOf(session).filter(
    ({ right }) =>
      (project === undefined || right.projectId === project) &&
      (token === undefined || right.asset.toLowerCase() === token.toLowerCase())
  )
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw usageFailure(
    only === undefined
      ? `The session ${session.id} lets nobody pay that.`
      : `The session ${session.id} has several payments like that.`,
    `Name one by --project and --token: "service session show ${session.id}" says what it may.`
  )
}

export const sessionPayment = async (
  session: PublicSession,
  input: Input,
  { client }: Connection
): Promise<WalletPlanRequest> => {
  const [decided] = DECIDED.filter(name => input.has(name))
  if (decided !== undefined) input.fail(`--${decided} does not go with --session: the policy decides it.`)
  const { action, right } = meant(session, input)
  const { projectId, asset, beneficiary, minReturnedTokens } = right
  const amount = amountIn(input, "amount", "ether") ?? input.fail("Give --amount.")
  const call = {
    chainId: session.chainId,
    contractId: await contractIdOf(client.catalog, "JBMultiTerminal"),
    address: action.target,
    function: PAY,
    args: [projectId, asset, amount, beneficiary, minReturnedTokens, "", "0x"],
    value: action.valueMode === 1 ? amount : "0"
  }
  return {
    operation: "contract_calls",
    input: { account: session.wallet, label: `Pay project ${projectId}`, calls: [call] }
  }
}
