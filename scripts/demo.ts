/** The main job in one run: an owner grants a bot, the bot prepares a payment, the owner's wallet signs it, the service relays and confirms it. */
import { setTimeout as pause } from "node:timers/promises"
import { formatEther, http, createPublicClient as nodeAt, parseEther } from "viem"
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from "viem/accounts"
import { developmentAccount } from "../sandbox/DevelopmentAccounts.ts"
import { type Client, createClient } from "../src/client/Client.ts"
import { NetworkFailure, ServiceProblem } from "../src/client/Errors.ts"
import { approveStep } from "../src/client/OwnerApproval.ts"
import type { Call, Plan } from "../src/plans/Plan.ts"
import { type Running, runningService } from "./demo/RunningService.ts"

const CHAIN = 31_337
const PROJECT = "2"
const AMOUNT = parseEther("0.01")
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const CONTROLLER = "@bananapus/core-v6:src/JBController.sol:JBController"
const TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"

const DAY_SECONDS = 86_400
const CONFIRM_MILLIS = 120_000
const MAXIMUM_FEE = 10_000_000_000n

/** However it goes, it ends. */
const WALK_MILLIS = 300_000

const HELP = `npm run demo

Walks the main job: an owner enrols and grants a bot, the bot reads a contract and prepares a payment, the wallet
signs it, the service relays it and follows it until it is confirmed. The service is the one that runs in this folder,
or the one that FUNDING_URL names; where none answers, one is started and stopped again. Ends with 0 once the payment
is confirmed, with 1 otherwise.

  FUNDING_URL       where the service answers
  FUNDING_RPC       a node of its local chain, for the wallet's nonce; found where the service runs in this folder
  SERVICE_DATA_DIR  the data directory of the service that runs here; .data by default
`

let lines = 0
const say = (text: string): void => {
  lines += 1
  console.log(`${String(lines).padStart(2)}  ${text}`)
}

const granted = async (owner: Client, baseUrl: string): Promise<Client & { readonly grantId: string }> => {
  const signer = privateKeyToAccount(generatePrivateKey())
  const { id, scopes } = await owner.bots.grant({
    bot: signer,
    scopes: ["read", "plan", "relay"],
    expiresAt: owner.clock.seconds() + DAY_SECONDS,
    label: "demo"
  })
  say(`Bot ${signer.address} holds grant ${id}: ${scopes.join(", ")}. Its key never left this process.`)
  return { ...createClient({ baseUrl, account: owner.account, signer, grantId: id }), grantId: id }
}

const looksAtProject = async (bot: Client): Promise<void> => {
  const { outputs, evidence } = await bot.contracts.read({
    chainId: CHAIN,
    contractId: CONTROLLER,
    function: "currentRulesetOf(uint256)",
    args: [PROJECT]
  })
  const { weight }: { weight: string } = Object(outputs[0]?.value)
  say(
    `Bot read project ${PROJECT}: ${formatEther(BigInt(weight))} tokens per native coin, at block ${evidence[0].blockNumber}.`
  )
}

const prepared = async (bot: Client, wallet: LocalAccount): Promise<Plan> => {
  const args = [PROJECT, NATIVE_TOKEN, String(AMOUNT), wallet.address, "0", "From the demo", "0x"]
  const { plan } = await bot.plans.create({
    account: wallet.address,
    label: "Pay the demo project",
    calls: [
      {
        chainId: CHAIN,
        contractId: TERMINAL,
        projectId: PROJECT,
        function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
        args,
        value: String(AMOUNT)
      }
    ]
  })
  if (!(await bot.plans.checkCommitment(plan))) throw new Error("the plan is not what it commits to")
  say(`Bot prepared plan ${plan.id}: pay ${formatEther(AMOUNT)} native to project ${PROJECT}.`)
  say(`Its commitment ${plan.commitment} was recomputed and agrees.`)
  return plan
}

type Submission = Awaited<ReturnType<Client["plans"]["submit"]>>

const signs = (wallet: LocalAccount, call: Call, gas: bigint, nonce: number): Promise<string> =>
  wallet.signTransaction({
    type: "eip1559",
    chainId: call.chainId,
    to: call.to,
    data: call.data,
    value: BigInt(call.value),
    nonce,
    gas,
    maxFeePerGas: MAXIMUM_FEE,
    maxPriorityFeePerGas: 1n
  })

/** The wallet's own node knows; without one, the refusal of a stale nonce says it and reserves nothing. */
const nonceOf = async (wallet: LocalAccount, rpcUrl: string | undefined): Promise<number> =>
  rpcUrl === undefined
    ? 0
    : nodeAt({ transport: http(rpcUrl) }).getTransactionCount({
        address: wallet.address,
        blockTag: "pending"
      })

const pendingNonce = (failure: unknown): number | undefined => {
  if (!(failure instanceof ServiceProblem) || failure.code !== "NONCE_NOT_READY") return undefined
  const pending = Number(failure.problem.context?.pending)
  return Number.isSafeInteger(pending) ? pending : undefined
}

const relayed = async (
  bot: Client & { readonly grantId: string },
  wallet: LocalAccount,
  plan: Plan,
  rpcUrl: string | undefined
): Promise<Submission> => {
  const [call] = plan.calls
  if (call === undefined) throw new Error("the plan has no call")
  const { estimatedGas, blockNumber } = await bot.plans.simulate(plan.id, 0)
  say(`The exact call succeeds at block ${blockNumber} with about ${estimatedGas} gas.`)
  const submit = async (nonce: number): Promise<Submission> => {
    const rawSignedTransaction = await signs(wallet, call, (BigInt(estimatedGas) * 5n) / 4n, nonce)
    const ownerApproval = await approveStep(wallet, {
      audience: await bot.audience(),
      accountId: bot.account,
      grantId: bot.grantId,
      plan,
      stepIndex: 0,
      rawSignedTransaction,
      issuedAt: bot.clock.seconds()
    })
    say(`Owner's wallet signed the transaction with nonce ${nonce} and approved its dispatch by this bot.`)
    return bot.plans.submit(plan.id, 0, { rawSignedTransaction, ownerApproval })
  }
  return submit(await nonceOf(wallet, rpcUrl)).catch(failure => {
    const pending = pendingNonce(failure)
    if (pending === undefined) throw failure
    say(`The service relays only the next nonce, ${pending}: signing again.`)
    return submit(pending)
  })
}

const confirmed = async (bot: Client, id: string): Promise<boolean> => {
  const plan = await bot.plans.watch(id, {
    signal: AbortSignal.timeout(CONFIRM_MILLIS),
    onProgress: ({ step }) => say(`Step ${step.index} is ${step.state}.`)
  })
  const [step] = plan.steps
  say(`Plan is ${plan.status}.`)
  console.log(`
    transaction    ${step?.transaction?.hash}
    block          ${step?.receipt?.blockNumber} ${step?.receipt?.blockHash}
    confirmations  ${step?.receipt?.confirmations}
    effects        ${step?.semantic?.status}
`)
  return plan.status === "transactions_confirmed"
}

const walk = async ({ baseUrl, rpcUrl }: Running): Promise<boolean> => {
  const wallet = developmentAccount(0)
  const account = `eip155:${CHAIN}:${wallet.address.toLowerCase()}`
  const owner = createClient({ baseUrl, account, signer: wallet })
  say(`The service at ${baseUrl} asks for signatures bound to ${await owner.audience()}.`)
  const { id } = await owner.accounts.enroll()
  say(`Owner enrolled ${id}.`)
  const bot = await granted(owner, baseUrl)
  try {
    await looksAtProject(bot)
    const plan = await prepared(bot, wallet)
    const { dispatch, idempotencyKey } = await relayed(bot, wallet, plan, rpcUrl)
    say(
      `Bot submitted it under key ${idempotencyKey}: ${dispatch.status}, sent ${dispatch.count === 1 ? "once" : `${dispatch.count} times`}.`
    )
    return await confirmed(bot, plan.id)
  } finally {
    await owner.bots.revoke(bot.grantId)
    say("Owner revoked the bot's grant.")
  }
}

const late = async (): Promise<never> => {
  await pause(WALK_MILLIS, undefined, { ref: false })
  throw new Error(`The demo did not come to its end within ${WALK_MILLIS / 1000} seconds.`)
}

const demonstrated = async (): Promise<boolean> => {
  const service = await runningService(say)
  service.lost.catch(() => {})
  try {
    return await Promise.race([walk(service), service.lost, late()])
  } finally {
    await service.stop()
  }
}

const sentenceOf = (failure: unknown): string => {
  if (failure instanceof NetworkFailure) return `${failure.message}: the service has ended, or is cut off.`
  return failure instanceof Error ? failure.message : String(failure)
}

const ended = async (): Promise<number> => {
  if (process.argv.includes("--help")) {
    process.stdout.write(HELP)
    return 0
  }
  return demonstrated().then(
    done => (done ? 0 : 1),
    failure => {
      console.error(sentenceOf(failure))
      return 1
    }
  )
}

/** What still waits for an answer keeps nothing up. */
process.exit(await ended())
