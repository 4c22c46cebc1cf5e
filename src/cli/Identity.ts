/** Who signs on the command line: a key file, another program, or the sandbox's first account. */
import { privateKeyToAccount } from "viem/accounts"
import type { Signer } from "../client/Signer.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import type { CommandTerminal, Flag } from "./Command.ts"
import { externalSigner } from "./ExternalSigner.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { accountOfKey, type KeyFile, readKeyFile } from "./KeyFile.ts"
import { type Wallet, walletOfKey } from "./Wallet.ts"

export const identityFlags: ReadonlyArray<Flag> = [
  {
    name: "key-file",
    value: "<file>",
    env: "FUNDING_KEY_FILE",
    help: "JSON {privateKey, address, accountId?, grantId?} that only you can read (mode 0600)."
  },
  {
    name: "signer-command",
    value: "<command>",
    help: "A program that reads one JSON object (typed data, or a transaction as of eth_signTransaction) and prints what it signed; needs --address."
  },
  { name: "address", value: "<address>", help: "The address of the signer command." },
  {
    name: "account",
    value: "<account id>",
    env: "FUNDING_ACCOUNT",
    help: "eip155:<chain>:<owner>; by default the key file's, or the signer's own."
  },
  { name: "authority-chain", value: "<id>", help: "The chain that names the signer's own account." },
  { name: "grant", value: "<grant id>", help: "The bot's grant; by default the key file's." },
  { name: "window", value: "<seconds>", help: "How long a signature is valid: 60, at most 300." }
]

export interface LocalIdentity {
  readonly signer: Signer
  readonly account: string
  readonly grantId: string | undefined
  /** The same key, which signs transactions too. */
  readonly wallet: Wallet
}

/** Of the first account that every local development chain funds; it is public and guards nothing. */
const SANDBOX_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const SANDBOX_CHAIN = 31_337

const hasSandbox = ({ chains }: Capabilities): boolean => chains.some(({ id }) => id === SANDBOX_CHAIN)

export const sandboxOwner = (): Wallet => walletOfKey(privateKeyToAccount(SANDBOX_KEY))

/** Where that chain is asked and nobody else is named. */
export const sandboxOwnerOn = (chainId: number): ReadonlyArray<Wallet> =>
  chainId === SANDBOX_CHAIN ? [sandboxOwner()] : []

const authorityChain = (input: Input, capabilities: Capabilities): number => {
  const chosen = input.integer("authority-chain")
  if (chosen !== undefined) return chosen
  if (hasSandbox(capabilities)) return SANDBOX_CHAIN
  const ids = capabilities.chains.map(({ id }) => id).join(", ")
  throw usageFailure(
    "Which chain names the account?",
    `Give --account, or --authority-chain with one of ${ids || "the service's chains"}.`
  )
}

const ownAccount = (input: Input, capabilities: Capabilities, address: string): string =>
  `eip155:${authorityChain(input, capabilities)}:${address.toLowerCase()}`

const named = (
  input: Input,
  capabilities: Capabilities,
  wallet: Wallet,
  { accountId, grantId }: Pick<KeyFile, "accountId" | "grantId"> = {}
): LocalIdentity => ({
  signer: wallet,
  wallet,
  account: input.value("account") ?? accountId ?? ownAccount(input, capabilities, wallet.address),
  grantId: input.value("grant") ?? grantId
})

const fromFile = async (input: Input, capabilities: Capabilities, path: string): Promise<LocalIdentity> => {
  const file = await readKeyFile(path)
  return named(input, capabilities, walletOfKey(accountOfKey(file)), file)
}

/** The program that signs, where one is named. */
export const signerProgram = (input: Input): Wallet | undefined => {
  const command = input.value("signer-command")
  if (command !== undefined) return externalSigner(command, input.neededAddress("address"))
  if (!input.has("address")) return undefined
  throw usageFailure(
    "--address is that of a signer command, and none is given.",
    "Give --signer-command too. A contract's address is --contract-address."
  )
}

export const localIdentity = async (
  input: Input,
  terminal: CommandTerminal,
  capabilities: Capabilities
): Promise<LocalIdentity> => {
  const program = signerProgram(input)
  if (program !== undefined) return named(input, capabilities, program)
  const path = input.value("key-file")
  if (path !== undefined) return fromFile(input, capabilities, path)
  if (!hasSandbox(capabilities))
    throw usageFailure("Nobody signs.", "Give --key-file (or FUNDING_KEY_FILE), or --signer-command.")
  const wallet = sandboxOwner()
  terminal.note(`Signing as the sandbox's first development account ${wallet.address}; its key is public.`)
  return named(input, capabilities, wallet)
}
