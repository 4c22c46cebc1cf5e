import { partsOfAccount } from "../../client/SignRequest.ts"
import type { ContractCallsInput } from "../../http/api/Transactions.ts"
import type { ListedBinding } from "../../smartaccounts/WalletBinding.ts"
import type { Command } from "../Command.ts"
import { type Connection, chainFlag, chainOf, connect, signedFlags } from "../Connection.ts"
import type { Input } from "../Input.ts"
import { argumentsFrom, jsonFrom, textFile } from "../Json.ts"
import { contractIdOf, methodOf } from "../Lookup.ts"
import { keptPlaces, pendingWork } from "../Pending.ts"
import { shownPlan } from "../Plans.ts"
import { preparedOnce } from "../PrepareOnce.ts"
import { bindingNamed } from "../WalletBindings.ts"

type PlanInput = typeof ContractCallsInput.Encoded

const fromFile = async (path: string, account: string): Promise<PlanInput> => {
  const file: Partial<PlanInput> = Object(jsonFrom(await textFile(path), `The file ${path}`))
  return { account, calls: [], ...file }
}

/** Of one call without a file, which says all of it. */
const OF_ONE_CALL = "contract function args value project contract-address label chain".split(" ")

const fromFlags = async (input: Input, connection: Connection, account: string): Promise<PlanInput> => {
  const { catalog } = connection.client
  const detail = await catalog.contract(await contractIdOf(catalog, input.neededValue("contract")))
  const method = methodOf(detail, input.neededValue("function"), "write")
  const address = input.address("contract-address")
  const projectId = input.value("project")
  const label = input.value("label")
  const call = {
    chainId: chainOf(input, connection.capabilities),
    contractId: detail.id,
    ...(address !== undefined && { address }),
    ...(projectId !== undefined && { projectId }),
    function: method.signature,
    args: argumentsFrom(input.value("args")),
    value: input.value("value") ?? "0"
  }
  return { account, ...(label !== undefined && { label }), calls: [call] }
}

/** Of a wallet's plan, by the binding; else of the account's own. */
const bindingOf = async (input: Input, connection: Connection): Promise<ListedBinding | undefined> => {
  const named = input.value("wallet")
  return named === undefined ? undefined : bindingNamed(connection, named)
}

const planInput = (input: Input, connection: Connection, account: string): Promise<PlanInput> => {
  const path = input.value("file")
  return path === undefined ? fromFlags(input, connection, account) : fromFile(path, account)
}

const nextOf = (id: string, binding: ListedBinding | undefined): string =>
  binding === undefined
    ? `Next: service plan simulate ${id} 0, then service plan submit ${id} 0.`
    : `Next: its owners sign an operation for it on its page, or a session's key carries it out: service session use <session id> ${id}.`

export const planCreate: Command = {
  name: "plan create",
  summary: "Prepare a plan of contract calls; nothing is signed or sent yet.",
  details: `From a file {account?, label?, calls: [{chainId, contractId, function, args, value?, projectId?, address?, dependsOn?}]}, or one call from flags. Amounts are in the smallest unit, as decimal strings. Run again after a crash: the same command finds the plan that was prepared.`,
  flags: [
    ...signedFlags,
    { name: "file", value: "<file>", help: "The plan as JSON." },
    { name: "contract", value: "<contract>", help: "A full id or an unambiguous name." },
    { name: "function", value: "<function>", help: "A full signature or an unambiguous name." },
    { name: "args", value: "<JSON array>", help: "Positional arguments; integers as decimal strings." },
    { name: "value", value: "<wei>", help: "Native value, for payable functions." },
    { name: "project", value: "<id>", help: "The deployment that this project uses." },
    { name: "contract-address", value: "<address>", help: "Which deployment, where there are several." },
    { name: "label", value: "<text>", help: "What the plan is for, at most 160 characters." },
    {
      name: "wallet",
      value: "<address>",
      help: "The wallet of several owners that acts, or its binding's id."
    },
    chainFlag
  ],
  keeps: true,
  run: async (input, terminal) => {
    input.apart("file", ...OF_ONE_CALL)
    const connection = await connect(input, terminal)
    const { client } = connection
    const binding = await bindingOf(input, connection)
    const account = binding?.wallet.address ?? partsOfAccount(client.account).owner
    const plan = await planInput(input, connection, account)
    const places = keptPlaces(connection, client.account, client.principalId, JSON.stringify(plan))
    const pending = pendingWork(terminal, places)
    const created = await preparedOnce(pending, terminal, idempotencyKey =>
      binding === undefined
        ? client.plans.create(plan, { idempotencyKey })
        : client.smartAccounts.createPlan(
            binding.id,
            { operation: "contract_calls", input: plan },
            { idempotencyKey }
          )
    )
    const outcome = await shownPlan(connection, created.plan)
    await pending.forget()
    return { ...outcome, text: `${outcome.text}\n\n${nextOf(created.plan.id, binding)}` }
  }
}
