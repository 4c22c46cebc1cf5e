/** A payment as a session's policy has it, word for word: its terminal, its beneficiary and the least that comes back are the policy's. */
import type { PublicClient } from "../../client/Client.ts"
import type { WalletPlanRequest } from "../../client/SmartAccounts.ts"
import { type KnownRight, knownRight, NATIVE_ASSET } from "../../sessions/KnownRights.ts"
import type { SessionAction } from "../../sessions/PolicyShape.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import { usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
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

type Catalog = Pick<PublicClient["catalog"], "contract" | "iterate">

const publishedAt = async (
  catalog: Catalog,
  { chainId }: PublicSession,
  { target }: SessionAction
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for await (const { id, chains } of catalog.iterate({ executableOnly: true, limit: 100 })) {
    const there = chains.filter(chain => chain.chainId === chainId).flatMap(({ addresses }) => addresses)
    if (there.some(address => address.toLowerCase() === target.toLowerCase())) ids.push(id)
  }
  return ids
}

/** As what the catalog publishes the terminal, of which there are several kinds. */
const terminalId = async (
  catalog: Catalog,
  session: PublicSession,
  action: SessionAction
): Promise<string> => {
  for (const id of await publishedAt(catalog, session, action)) {
    const { methods } = await catalog.contract(id)
    if (methods.some(({ signature }) => signature === PAY)) return id
  }
  throw usageFailure(
    `The catalog has no terminal at ${action.target}, where the session ${session.id} may pay.`,
    `"service plan create" plans the very call, and "service session use ${session.id} <plan id>" has its key do it.`
  )
}

export const sessionPayment = async (
  session: PublicSession,
  input: Input,
  { client }: { readonly client: { readonly catalog: Catalog } }
): Promise<WalletPlanRequest> => {
  const [decided] = DECIDED.filter(name => input.has(name))
  if (decided !== undefined) input.fail(`--${decided} does not go with --session: the policy decides it.`)
  const { action, right } = meant(session, input)
  const { projectId, asset, beneficiary, minReturnedTokens } = right
  const amount = amountIn(input, "amount", "ether") ?? input.fail("Give --amount.")
  const call = {
    chainId: session.chainId,
    contractId: await terminalId(client.catalog, session, action),
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
