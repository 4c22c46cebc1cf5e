/** The main job in one run: an owner grants a bot, the bot prepares a payment, the owner's wallet signs it, the service relays and confirms it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { formatEther, http, createPublicClient as nodeAt, parseEther } from "viem"
import { generatePrivateKey, type LocalAccount, mnemonicToAccount, privateKeyToAccount } from "viem/accounts"
import { type Client, createClient, createPublicClient } from "../src/client/Client.ts"
import { ServiceProblem } from "../src/client/Errors.ts"
import { approveStep } from "../src/client/OwnerApproval.ts"
import type { Call, Plan } from "../src/plans/Plan.ts"

const CHAIN = 31_337
const PROJECT = "2"
const AMOUNT = parseEther("0.01")
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const CONTROLLER = "@bananapus/core-v6:src/JBController.sol:JBController"
const TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"
const DEVELOPMENT_PHRASE = "test test test test test test test test test test test junk"

const DAY_SECONDS = 86_400
const START_MILLIS = 120_000
const CONFIRM_MILLIS = 120_000
const MAXIMUM_FEE = 10_000_000_000n

const baseUrl = (process.env.FUNDING_URL || "http://localhost:8787").replace(/\/+$/, "")

let lines = 0
const say = (text: string): void => {
  lines += 1
  console.log(`${String(lines).padStart(2)}  ${text}`)
}

interface Running {
  readonly rpcUrl: string | undefined
  readonly stop: () => Promise<void>
}

const isUp = (): Promise<boolean> =>
  createPublicClient({ baseUrl, retries: 0, timeoutMillis: 2_000 })
    .capabilities()
    .then(
      () => true,
      () => false
    )

const printed = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    const timer = setTimeout(() => reject(new Error("the service did not start in time")), START_MILLIS)
    child.stdout?.on("data", chunk => {
      text += String(chunk)
      if (!/^ {2}database .*\n/m.test(text)) return
      clearTimeout(timer)
      resolve(text)
    })
    child.once("exit", code => reject(new Error(`the service ended with ${code}`)))
  })

const LOCAL = ["localhost", "127.0.0.1"]

const boot = async (): Promise<Running> => {
  const { hostname, port } = new URL(baseUrl)
  if (!LOCAL.includes(hostname)) throw new Error(`nothing answers at ${baseUrl}`)
  say(`Nothing answers at ${baseUrl}: starting the service with its sandbox.`)
  spawnSync(process.execPath, ["scripts/build.mjs", "--if-needed"], { stdio: "inherit" })
  const env = { ...process.env, SERVICE_PORT: port || "80" }
  const child = spawn(process.execPath, ["dist/main.js"], { env, stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>(resolve => child.once("exit", () => resolve()))
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  try {
    const text = await printed(child)
    return { rpcUrl: / at (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1], stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}

const running = async (): Promise<Running> =>
  (await isUp()) ? { rpcUrl: process.env.FUNDING_RPC, stop: async () => {} } : boot()

const granted = async (owner: Client): Promise<Client & { readonly grantId: string }> => {
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

const walk = async ({ rpcUrl }: Running): Promise<boolean> => {
  const wallet = mnemonicToAccount(DEVELOPMENT_PHRASE)
  const account = `eip155:${CHAIN}:${wallet.address.toLowerCase()}`
  const owner = createClient({ baseUrl, account, signer: wallet })
  say(`The service at ${baseUrl} asks for signatures bound to ${await owner.audience()}.`)
  const { id } = await owner.accounts.enroll()
  say(`Owner enrolled ${id}.`)
  const bot = await granted(owner)
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

const demonstrated = async (): Promise<boolean> => {
  const service = await running()
  try {
    return await walk(service)
  } finally {
    await service.stop()
  }
}

process.exitCode = await demonstrated().then(
  done => (done ? 0 : 1),
  failure => {
    console.error(failure instanceof Error ? failure.message : failure)
    return 1
  }
)
