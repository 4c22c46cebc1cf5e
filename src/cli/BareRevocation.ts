/** A session revoked without any service: the Safe transaction that does it, from the chain alone, signed by its owners and sent by anybody. */
import { type Address, encodeFunctionData, type Hex, isHex } from "viem"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandOutcome, CommandTerminal, Flag } from "./Command.ts"
import { ExitCode, usageFailure } from "./Failure.ts"
import { guardAbi, guardOf, livePermission, safeAt } from "./GuardReads.ts"
import { sandboxOwnerOn, signerProgram } from "./Identity.ts"
import type { Input } from "./Input.ts"
import { accountOfKey, readKeyFile } from "./KeyFile.ts"
import { requireWritable, writeOut } from "./OutFile.ts"
import { addedParts, partBy } from "./OwnerParts.ts"
import { type Rpc, rpcAt } from "./Rpc.ts"
import {
  type SafeSignatures,
  type SafeTransaction,
  safeExecution,
  safeHashes,
  safePayload
} from "./SafeTransaction.ts"
import { minedBefore, sentRevocation } from "./SendBare.ts"
import { signingTerms } from "./SignTransaction.ts"
import { facts } from "./Table.ts"
import { type Wallet, walletOfKey } from "./Wallet.ts"

export const bareFlags: ReadonlyArray<Flag> = [
  {
    name: "bare",
    help: "Print the Safe transaction that revokes it, from the chain alone: no service is asked. Owners' keys that are given sign it; where none is by a flag, --yes has that of FUNDING_KEY_FILE sign."
  },
  { name: "wallet", value: "<address>", help: "With --bare: the wallet whose session ends." },
  {
    name: "guard",
    value: "<address>",
    help: "With --bare: the wallet's guard; its only validator by default."
  },
  {
    name: "permission",
    value: "<hash>",
    help: "With --bare: the permission; by default the one that lives."
  },
  { name: "send", help: "With --bare: send it by the first key that is given, which pays the gas." }
]

interface Ground {
  readonly input: Input
  readonly wallet: Address
  readonly chainId: number
  /** Of those who are here, owners or not. */
  readonly keys: ReadonlyArray<Wallet>
}

interface Bare extends Pick<Ground, "input" | "keys"> {
  readonly transaction: SafeTransaction
  readonly permissionId: Hex
  readonly owners: ReadonlyArray<Address>
  readonly threshold: number
}

const walletIn = async (path: string): Promise<Wallet> => walletOfKey(accountOfKey(await readKeyFile(path)))

const ownOf = async (input: Input, chainId: number): Promise<ReadonlyArray<Wallet>> => {
  const program = signerProgram(input)
  if (program !== undefined) return [program]
  const path = input.value("key-file")
  return path === undefined ? sandboxOwnerOn(chainId) : [await walletIn(path)]
}

const keysOf = async (input: Input, chainId: number): Promise<ReadonlyArray<Wallet>> => [
  ...(await ownOf(input, chainId)),
  ...(await Promise.all(input.all("owner-key-file").map(walletIn)))
]

const permissionOf = async (rpc: Rpc, input: Input, guard: Address, wallet: Address): Promise<Hex> => {
  const named = input.value("permission")
  if (named !== undefined)
    return isHex(named) && named.length === 66
      ? named
      : input.fail(`--permission takes 0x and 64 hexadecimal digits, not "${named}".`)
  const live = await livePermission(rpc, guard, wallet)
  if (live !== undefined) return live
  throw usageFailure(
    `Nothing lives at the guard ${guard} for ${wallet}: there is nothing to revoke.`,
    "Look at the wallet's address, and at the chain of --rpc."
  )
}

const groundOn = async (rpc: Rpc, input: Input): Promise<Ground> => {
  const wallet = input.neededAddress("wallet")
  const chainId = Number(await rpc.call("eth_chainId"))
  return { input, wallet, chainId, keys: await keysOf(input, chainId) }
}

const foundOn = async (rpc: Rpc, { input, wallet, chainId, keys }: Ground): Promise<Bare> => {
  const guard = input.address("guard") ?? (await guardOf(rpc, wallet))
  const permissionId = await permissionOf(rpc, input, guard, wallet)
  const { nonce, ...who } = await safeAt(rpc, wallet)
  const data = encodeFunctionData({ abi: guardAbi, functionName: "revoke", args: [permissionId] })
  const transaction = { chainId, wallet, to: guard, data, nonce }
  return { input, transaction, permissionId, ...who, keys }
}

const transactionText = ({ transaction, permissionId, owners, threshold }: Bare): string => {
  const { chainId, wallet, to, data, nonce } = transaction
  const hashes = safeHashes(transaction)
  return facts([
    ["revokes", permissionId],
    ["wallet", `${wallet} on chain ${chainId}`],
    ["to", to],
    ["value", "0"],
    ["data", data],
    ["operation", "0, a call; its gas, gas price, gas token and refund receiver are 0"],
    ["nonce", String(nonce)],
    ["signs", `${threshold} of ${owners.join(", ")}`],
    ["domain hash", hashes.domain],
    ["message hash", hashes.message],
    ["Safe hash", hashes.whole]
  ])
}

/** At most as many as are asked for. */
const signaturesOf = async ({
  input,
  transaction,
  owners,
  threshold,
  keys
}: Bare): Promise<SafeSignatures> => {
  const { whole } = safeHashes(transaction)
  const added = await addedParts(input, whole, owners)
  const signatures = new Map(added.map(({ signer, signature }) => [signer.toLowerCase(), signature] as const))
  const known = new Set(owners.map(owner => owner.toLowerCase()))
  await requireWritable(input.value("out"))
  for (const key of keys) {
    const signer = key.address.toLowerCase()
    if (!known.has(signer) || signatures.has(signer) || signatures.size >= threshold) continue
    signatures.set(signer, (await partBy(key, safePayload(transaction), whole)).signature)
  }
  return signatures
}

const OTHERS_SIGN =
  "Give their keys with --owner-key-file, or write what they sign with --out: typed data, as eth_signTypedData_v4 takes it."

const leftText = async ({ input, transaction, threshold }: Bare, signed: number): Promise<string> => {
  const file = input.value("out")
  const told = `${signed} of the ${threshold} owners that it takes signed.`
  if (file === undefined && input.has("send")) throw usageFailure(`${told} Nothing was sent.`, OTHERS_SIGN)
  if (file === undefined) return `${told} ${OTHERS_SIGN}`
  await writeOut(file, JSON.stringify(safePayload(transaction), null, 2))
  return `${told} ${file} is what each of the others signs as typed data (eth_signTypedData_v4); the same command takes a file with a signature by --add-signature.`
}

const revokedText = (permissionId: string, hash: string): string => `revoked ${permissionId}: ${hash}`

interface Executed {
  readonly text: string
  readonly hash?: string
}

const executed = async (bare: Bare, data: Hex, terminal: CommandTerminal): Promise<Executed> => {
  const { input, transaction, permissionId, keys } = bare
  const { chainId, wallet } = transaction
  if (!input.has("send")) {
    const rows = [
      ["to", `${wallet} on chain ${chainId}`] as const,
      ["value", "0"] as const,
      ["data", data] as const
    ]
    return { text: `Anybody may send this, and pays its gas:\n${facts(rows)}` }
  }
  const [payer] = keys
  if (payer === undefined) throw usageFailure("Nobody is here to send it.", "Give --key-file.")
  const work = { input, payer, chainId, wallet, transaction, permissionId, data }
  const hash = await sentRevocation(work, terminal)
  return { hash, text: revokedText(permissionId, hash) }
}

/** By what an earlier run sent; undefined where that failed, or something lives that it did not end. */
const revokedBefore = async (
  rpc: Rpc,
  { input, chainId, wallet, keys }: Ground,
  terminal: CommandTerminal
): Promise<CommandOutcome | undefined> => {
  const [payer] = keys
  if (!input.has("send") || payer === undefined) return undefined
  const before = await minedBefore(terminal, { input, chainId, wallet, payer })
  if (before === undefined) return undefined
  const { hash, isDone, permissionId } = before
  const told = isDone ? revokedText(permissionId, hash) : `The transaction ${hash} failed.`
  const guard = input.address("guard") ?? (await guardOf(rpc, wallet))
  const isMeant =
    isDone && (input.value("permission") ?? permissionId).toLowerCase() === permissionId.toLowerCase()
  if (!isMeant || (await livePermission(rpc, guard, wallet)) !== undefined) {
    terminal.note(`Of an earlier run: ${told}`)
    return undefined
  }
  return { json: { permissionId, hash }, text: told }
}

const SIGNING = ["yes", "send", "owner-key-file", "add-signature", "key-file", "signer-command"]

export const bareRevocation = async (input: Input, terminal: CommandTerminal): Promise<CommandOutcome> => {
  signingTerms(input)
  const rpc = rpcAt(input.neededValue("rpc"), input.variable("rpc"))
  const ground = await groundOn(rpc, input)
  const before = await revokedBefore(rpc, ground, terminal)
  if (before !== undefined) return before
  const bare = await foundOn(rpc, ground)
  const { transaction, permissionId, threshold } = bare
  const { nonce, ...call } = transaction
  const told = transactionText(bare)
  const json = {
    permissionId,
    transaction: { ...call, value: "0", operation: 0, nonce: String(nonce) },
    typedData: safePayload(transaction),
    safeTransactionHash: safeHashes(transaction).whole
  }
  if (!SIGNING.some(each => input.has(each))) return { json, text: `${told}\n${await leftText(bare, 0)}` }
  terminal.note(told)
  if (!(await agreedOnTerminal(input, terminal, "Sign it?", "the revocation")))
    return { json, text: "Nothing was signed.", exitCode: ExitCode.usage }
  const signatures = await signaturesOf(bare)
  const signed = { ...json, signatures: [...signatures.values()] }
  if (signatures.size < threshold) {
    const text = await leftText(bare, signatures.size)
    return { json: signed, text, ...(input.has("send") && { exitCode: ExitCode.unconfirmed }) }
  }
  const data = safeExecution(transaction, signatures, threshold)
  const { text, ...sent } = await executed(bare, data, terminal)
  return { json: { ...signed, execution: { to: transaction.wallet, value: "0", data }, ...sent }, text }
}
