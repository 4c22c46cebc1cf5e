import type { Client } from "../../client/Client.ts"
import { AlteredPlan, ServiceProblem } from "../../client/Errors.ts"
import { partsOfAccount } from "../../client/SignRequest.ts"
import type { WalletCreation } from "../../smartaccounts/SmartAccount.ts"
import { carryingFlags, carryPlan, requireMeans, requireNode } from "../CarryOut.ts"
import type { Command, CommandOutcome, CommandTerminal } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { enrolled } from "../Enrolled.ts"
import { ExitCode } from "../Failure.ts"
import { creationSigned, forgetFunding, fundedWallet, fundFlag, keptFunding } from "../FundWallet.ts"
import type { Input } from "../Input.ts"
import { afterSending } from "../NotSigned.ts"
import { facts } from "../Table.ts"
import { deploymentOf, manifestFlag, type WalletDeployment } from "../WalletManifest.ts"

const FACTORY = "@safe-global/safe-contracts:contracts/proxies/SafeProxyFactory.sol:SafeProxyFactory"
const CREATE = "createProxyWithNonce(address,bytes,uint256)"

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

const isAddress = (text: string): text is `0x${string}` => ADDRESS.test(text)

/** Those that are named, and the account's own, which has to be one to bind the wallet. */
const ownersOf = (input: Input, own: string): ReadonlyArray<`0x${string}`> => {
  const all = [...input.all("owner"), own].map(each =>
    isAddress(each) ? each : input.fail(`--owner takes an address, not "${each}".`)
  )
  return [...new Map(all.map(each => [each.toLowerCase(), each])).values()]
}

interface Creating extends Connection {
  readonly input: Input
  readonly deployment: WalletDeployment
}

const asked = ({ input, client, deployment }: Creating) => {
  const owners = ownersOf(input, partsOfAccount(client.account).owner)
  const threshold = input.integer("threshold", 1, owners.length) ?? Math.floor(owners.length / 2) + 1
  const saltNonce = input.value("salt") ?? "0"
  if (!/^[0-9]{1,78}$/.test(saltNonce)) input.fail(`--salt takes a number in digits, not "${saltNonce}".`)
  return { manifestId: deployment.manifestId, owners, threshold, saltNonce }
}

const creationText = ({ address, chainId, owners, threshold, manifestId }: WalletCreation): string =>
  facts([
    ["wallet", `${address} on chain ${chainId}`],
    ["owners", owners.join(", ")],
    ["signs", `${threshold} of ${owners.length}`],
    ["manifest", manifestId]
  ])

const planned = async (work: Creating, creation: WalletCreation, idempotencyKey: string) => {
  const { client, deployment } = work
  const { address, chainId, initializer, saltNonce, transaction } = creation
  const call = {
    chainId,
    contractId: FACTORY,
    address: transaction.to,
    function: CREATE,
    args: [deployment.manifest.pins.singleton.address, initializer, saltNonce],
    value: "0"
  }
  const { owner } = partsOfAccount(client.account)
  const label = `Create the wallet ${address}`
  const prepared = await client.plans.create({ account: owner, label, calls: [call] }, { idempotencyKey })
  const [only] = prepared.plan.calls
  if (only?.to !== transaction.to || only.data !== transaction.data)
    throw new AlteredPlan(address, "its plan's call differs", "creation of the wallet")
  return prepared
}

const nextOf = (address: string): string =>
  `Next: service wallet bind ${address}, so that the account acts by it.`

/** Tells `signed` once the wallet has signed a step, before the bytes are used. */
const tellingSignature = (client: Client, signed: (nonce: number) => Promise<void>): Client => ({
  ...client,
  plans: {
    ...client.plans,
    carryOut: (plan, options) => {
      const { wallet } = options
      if (!("signTransaction" in wallet)) return client.plans.carryOut(plan, options)
      const signTransaction: typeof wallet.signTransaction = async transaction => {
        const raw = await wallet.signTransaction(transaction)
        await signed(transaction.nonce)
        return raw
      }
      return client.plans.carryOut(plan, { ...options, wallet: { ...wallet, signTransaction } })
    }
  }
})

const created = async (work: Creating, terminal: CommandTerminal): Promise<CommandOutcome> => {
  const creation = await work.client.smartAccounts.planCreation(asked(work))
  const { address, chainId } = creation
  terminal.note(creationText(creation))
  const funding = await keptFunding(work, terminal, { address, chainId })
  const create = (idempotencyKey: string) => planned(work, creation, idempotencyKey)
  let used = -1
  const client = tellingSignature(work.client, nonce => {
    used = nonce
    return creationSigned(funding)
  })
  const carrying = carryPlan({ ...work, client, meaning: ["wallet create", address], create }, terminal)
  const outcome = await carrying.catch(async (failure: unknown) => {
    await forgetFunding(funding)
    throw failure
  })
  if (outcome.exitCode !== ExitCode.ok || work.input.has("plan-only")) {
    await forgetFunding(funding)
    return outcome
  }
  const sent = await fundedWallet({ ...work, used }, terminal, funding).catch((failure: unknown) => {
    throw afterSending(failure, outcome.text, `service plan show ${Object(outcome.json).id}`)
  })
  return {
    json: { address, creation, plan: outcome.json, ...(sent !== undefined && { funding: sent }) },
    text: [outcome.text, ...(sent === undefined ? [] : [sent.text]), nextOf(address)].join("\n")
  }
}

/** By an earlier run, or by anybody: the address follows from the owners alone. */
const goneBefore =
  (work: Creating, terminal: CommandTerminal) =>
  async (failure: unknown): Promise<CommandOutcome> => {
    if (!(failure instanceof ServiceProblem) || failure.code !== "SMART_ACCOUNT_ALREADY_DEPLOYED")
      throw failure
    const address = String(failure.problem.context?.address)
    if (!isAddress(address)) throw failure
    const funding = await keptFunding(work, terminal, { address, chainId: work.deployment.chainId }, true)
    const sent = await fundedWallet(work, terminal, funding)
    return {
      json: { address, ...(sent !== undefined && { funding: sent }) },
      text: [
        `The wallet ${address} is there already.`,
        ...(sent === undefined ? [] : [sent.text]),
        nextOf(address)
      ].join("\n")
    }
  }

/** Of wallets that are there. */
const OTHERS = ["sponsor", "wallet", "session", "out", "add-signature"]

export const walletCreate: Command = {
  name: "wallet create",
  summary: "Create a wallet of several owners; its address is said first.",
  details:
    "The address follows from the owners, how many of them sign, and the salt. The creation is a plan of one call, which the account's own wallet signs and pays, and the service relays once. Run again after a crash: the same command goes on.",
  example: "service wallet create --owner 0x… --owner 0x… --threshold 2 --fund 1ether",
  flags: [
    {
      name: "owner",
      value: "<address>",
      help: "An owner; repeat it for each. The account's owner is one without being named.",
      repeatable: true
    },
    {
      name: "threshold",
      value: "<number>",
      help: "How many owners sign; more than half of them by default."
    },
    { name: "salt", value: "<number>", help: "Another wallet of the same owners for each; 0 by default." },
    fundFlag,
    manifestFlag,
    ...carryingFlags.filter(({ name }) => !OTHERS.includes(name)),
    ...signedFlags
  ],
  keeps: true,
  run: async (input, terminal) => {
    requireMeans(input)
    const connection = await connect(input, terminal)
    await requireNode(input)
    return enrolled(connection, input, terminal, async () => {
      const deployment = deploymentOf(input, await connection.client.smartAccounts.capabilities())
      const work = { ...connection, input, deployment }
      return created(work, terminal).catch(goneBefore(work, terminal))
    })
  }
}
