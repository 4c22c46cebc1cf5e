/** A new wallet given the chain's currency by the account's own: kept before it leaves, so that it is sent once. */
import { isHex, keccak256 } from "viem"
import { plannedTransaction } from "../client/PlannedTransaction.ts"
import { nonceThat } from "../client/WalletBytes.ts"
import { nativeAmount } from "../review/Amounts.ts"
import { sentence } from "../review/Words.ts"
import { saysYes } from "./Agree.ts"
import type { CommandTerminal, Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode, usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { keptPlaces, pendingWork, placesWithin } from "./Pending.ts"
import { broadcast, keptStandingOf, mined } from "./SendRaw.ts"
import { nodeOf, signingTerms } from "./SignTransaction.ts"
import { amountIn, amountOf } from "./verbs/Verb.ts"

export const fundFlag: Flag = {
  name: "fund",
  value: "<amount>",
  help: "What the account's wallet then sends to it: wei, or as in 1.5ether."
}

type Ask = NonNullable<CommandTerminal["ask"]>

interface FundingWork extends Connection {
  readonly input: Input
  /** The highest nonce that this run has executed by the wallet. */
  readonly used?: number
}

interface FundedPlace {
  readonly chainId: number
  readonly address: `0x${string}`
}

/** An amount that was said. */
interface SaidFunding {
  /** Two runs mean the same saying where it is the same. */
  readonly id: string
  readonly amount: string
  /** Undefined where nothing was signed. */
  readonly raw: string | undefined
}

/** The bytes are kept apart, by the saying that they are of: who comes to sign after it was forgotten finds that out. */
const fundingKept = (terminal: CommandTerminal, places: ReturnType<typeof keptPlaces>) => {
  const saying = pendingWork(terminal, places)
  const bytesOf = (id: string) => pendingWork(terminal, placesWithin(places, "bytes", id))
  const creationOf = (id: string) => pendingWork(terminal, placesWithin(places, "creation", id))
  const recall = async (): Promise<SaidFunding | undefined> => {
    const said = await saying.recall()
    if (said?.amount === undefined) return undefined
    const { id = "" } = said
    const { amount = said.amount, raw = said.raw } = (await bytesOf(id).recall()) ?? {}
    return { id, amount, raw }
  }
  /** The saying first: bytes of one that is there may still have to be sent. */
  const forget = async (id: string): Promise<void> => {
    if ((await recall())?.id === id) await saying.forget()
    await bytesOf(id).forget()
    await creationOf(id).forget()
  }
  const sayFirst = (amount: string) => saying.keepFirst({ amount, id: crypto.randomUUID() })
  return {
    recall,
    say: async (amount: string): Promise<void> => {
      if (await sayFirst(amount)) return
      const said = await saying.recall()
      if (said !== undefined && said.amount !== amount) await saying.keep({ ...said, amount })
    },
    /** The only bytes that there are of it, another run's or these; undefined where it was forgotten meanwhile. */
    signed: async ({ id, amount }: SaidFunding, raw: string): Promise<SaidFunding | undefined> => {
      const isFirst = await bytesOf(id).keepFirst({ amount, raw })
      const said = await recall()
      if (said?.id === id) return said.raw === undefined ? undefined : said
      if (isFirst) await bytesOf(id).forget()
      return undefined
    },
    creationSigned: (id: string) => creationOf(id).keep({ signed: "yes" }),
    isCreationSigned: async (id: string) => (await creationOf(id).recall()) !== undefined,
    /** Of the same amount, with nothing signed. */
    sayAnew: async ({ id, amount }: SaidFunding): Promise<void> => {
      await forget(id)
      await sayFirst(amount)
    },
    forget
  }
}

export interface Funding extends FundedPlace {
  readonly kept: ReturnType<typeof fundingKept>
  /** Undefined where nothing is to be sent. */
  readonly amount: string | undefined
}

/** Who leaves has answered nothing. */
const answerTo = async (ask: Ask, question: string): Promise<string> => {
  const said = await ask(question)
  if (said !== undefined) return said.trim()
  throw usageFailure("Interrupted; nothing more was signed.", "Run the same command again: it goes on.")
}

/** Undefined where nobody is to be asked. */
const askOf = ({ input }: FundingWork, { ask }: CommandTerminal): Ask | undefined =>
  input.has("yes") ? undefined : ask

const offered = async (work: FundingWork, terminal: CommandTerminal): Promise<string | undefined> => {
  const { input, identity } = work
  const ask = askOf(work, terminal)
  if (input.has("fund") || ask === undefined || input.has("plan-only"))
    return amountIn(input, "fund", "ether")
  const whence = identity.wallet.address
  const text = await answerTo(ask, `Send it how much from ${whence}, such as 1ether? [nothing] `)
  return text === "" ? undefined : (amountOf(text, "ether") ?? input.fail(`"${text}" is no amount.`))
}

/** What an earlier run was to send, and nobody has asked this one for. */
const offeredAgain = async (
  work: FundingWork,
  terminal: CommandTerminal,
  kept: Funding["kept"],
  { id, amount }: SaidFunding
): Promise<string | undefined> => {
  const { input, identity } = work
  if (input.has("plan-only")) return undefined
  const told = sentence(nativeAmount(amount))
  const ask = askOf(work, terminal)
  if (ask === undefined) {
    terminal.note(
      `An earlier run was to send it ${told}. Left out: run it with --fund ${amount} to have it sent.`
    )
    return undefined
  }
  const whence = identity.wallet.address
  const said = await answerTo(ask, `Send it the ${told} of an earlier run from ${whence}? [y/N] `)
  if (saysYes(said)) return amount
  await kept.forget(id)
  return undefined
}

/** Where nobody said, the person at the terminal is asked; an earlier run's is gone on with, as it is once it was signed. */
export const keptFunding = async (
  work: FundingWork,
  terminal: CommandTerminal,
  place: FundedPlace,
  isThere = false
): Promise<Funding> => {
  const { client, input } = work
  const { address, chainId } = place
  const parts = [client.account, "fund", String(chainId), address]
  /** A transfer on the chain, whichever service is asked; older programs kept it by the service. */
  const kept = fundingKept(terminal, [parts, ...keptPlaces(work, ...parts)])
  const before = await kept.recall()
  if (before?.raw !== undefined) return { ...place, kept, amount: before.amount }
  if (before !== undefined && !input.has("fund"))
    return { ...place, kept, amount: await offeredAgain(work, terminal, kept, before) }
  const amount = before === undefined && isThere ? undefined : await offered(work, terminal)
  if (amount !== undefined) await kept.say(amount)
  return { ...place, kept, amount }
}

/** From here on the wallet may come to be, and a later run may still send it the amount. */
export const creationSigned = async ({ kept }: Funding): Promise<void> => {
  const said = await kept.recall()
  if (said !== undefined) await kept.creationSigned(said.id)
}

/** Where nothing of its creation was signed, nothing is sent to it by a later run. */
export const forgetFunding = async ({ kept }: Funding): Promise<void> => {
  const said = await kept.recall()
  if (said === undefined || said.raw !== undefined || (await kept.isCreationSigned(said.id))) return
  await kept.forget(said.id)
}

const signedTransfer = async (
  { input, identity, used = -1 }: FundingWork,
  { chainId, address }: FundedPlace,
  amount: string
): Promise<string> => {
  const node = nodeOf(input)
  const { wallet } = identity
  const call = { chainId, to: address, data: "0x", value: amount } as const
  const asked = { from: wallet.address, to: address, value: `0x${BigInt(amount).toString(16)}` }
  const estimated = async () =>
    BigInt(String(await node.request({ method: "eth_estimateGas", params: [asked] })))
  const nonceOf = nonceThat(async nonce => nonce > used)
  const transaction = await plannedTransaction(
    node,
    wallet.address,
    call,
    signingTerms(input),
    estimated,
    nonceOf
  )
  return wallet.signTransaction(transaction)
}

const hexOf = (raw: string): `0x${string}` => {
  if (isHex(raw)) return raw
  throw new CliFailure(ExitCode.internal, "The wallet signed no transaction.", "Sign elsewhere.")
}

/** Looked at anew: another run of the command may have signed it, and sent it, while this one waited. */
const bytesToSend = async (work: FundingWork, funding: Funding) => {
  const { kept } = funding
  const said = await kept.recall()
  if (said === undefined || said.raw !== undefined) return said
  return kept.signed(said, hexOf(await signedTransfer(work, funding, said.amount)))
}

const toldOf = (amount: string, { address }: FundedPlace): string =>
  `${sentence(nativeAmount(amount))} to ${address}`

/** What an earlier run signed is given up where the wallet used its nonce for something else: the person says whether the amount is still to go. */
const giveUpOvertaken = async (
  { input, identity: { wallet } }: FundingWork,
  { kept, address }: Funding,
  said: SaidFunding
): Promise<void> => {
  const bytes = hexOf(said.raw ?? "")
  const hash = keccak256(bytes)
  const sender = wallet.address
  const { found, isNonceUsed } = await keptStandingOf(nodeOf(input), { sender, raw: bytes, hashes: [hash] })
  if (found !== undefined || !isNonceUsed) return
  await kept.sayAnew(said)
  throw new CliFailure(
    ExitCode.refused,
    `${sentence(nativeAmount(said.amount))} did not go to ${address}: ${sender} used the nonce of ${hash}, which an earlier run signed, for another transaction.`,
    `Look at what the wallet sent since: a node may have forgotten what is old. If the amount is still to go, run it with --fund ${said.amount}.`
  )
}

interface FundingOutcome {
  readonly hash?: string
  readonly text: string
}

/** Undefined where nothing was to be sent. */
export const fundedWallet = async (
  work: FundingWork,
  terminal: CommandTerminal,
  funding: Funding
): Promise<FundingOutcome | undefined> => {
  const { amount, kept } = funding
  if (amount === undefined) return undefined
  const wasSigned = (await kept.recall())?.raw !== undefined
  const said = await bytesToSend(work, funding)
  if (said === undefined)
    return {
      text: `Another run of this command sent ${toldOf(amount, funding)}, or gave it up: this one sent nothing.`
    }
  const told = toldOf(said.amount, funding)
  if (wasSigned) await giveUpOvertaken(work, funding, said)
  terminal.note(`${wasSigned ? "Sending again" : "Sending"} ${told}.`)
  const raw = hexOf(said.raw ?? "")
  const hashes = [keccak256(raw)]
  await broadcast(work.input, raw, hashes)
  const { hash, isDone } = await mined(work.input, hashes)
  await kept.forget(said.id)
  if (!isDone)
    throw new CliFailure(
      ExitCode.unconfirmed,
      `The transaction ${hash} failed.`,
      "Send what it needs yourself."
    )
  return { hash, text: `sent ${told}: ${hash}` }
}
