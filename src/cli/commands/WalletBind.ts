import { packedSignatures } from "../../client/OwnerSigning.ts"
import { bindingRequest } from "../../review/OwnerRequest.ts"
import { agreedOnTerminal } from "../Agree.ts"
import type { Command, CommandOutcome, CommandTerminal } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { enrolled } from "../Enrolled.ts"
import { ExitCode, usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { leftToOthers, ownerPartFlags, ownerParts } from "../OwnerParts.ts"
import { keptPlaces, pendingWork } from "../Pending.ts"
import { ownerKeyFlag } from "../Signing.ts"
import { facts } from "../Table.ts"
import { bindingText } from "../WalletBindings.ts"
import { deploymentOf, manifestFlag } from "../WalletManifest.ts"

const isAddress = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]{40}$/.test(text)

const isNonce = (text: string | undefined): text is `0x${string}` => /^0x[0-9a-f]{64}$/.test(text ?? "")

/** So that owners have time to sign. */
const LEAST_SECONDS = 60

/** That of an earlier run by the same manifest as long as it holds, so that what other owners signed is of the same. */
const challenged = async (connection: Connection, input: Input, terminal: CommandTerminal) => {
  const { client } = connection
  const address = input.needed(0)
  if (!isAddress(address)) throw usageFailure(`"${address}" is no address.`, "Give the wallet's.")
  const capabilities = await client.smartAccounts.capabilities()
  const { manifestId } = deploymentOf(input, capabilities)
  const work = ["bind", address.toLowerCase()]
  const places = keptPlaces(connection, client.account, ...work, manifestId)
  /** Programs that named no manifest kept it for the wallet. */
  const older = capabilities.deployments.length === 1 ? keptPlaces(connection, client.account, ...work) : []
  const pending = pendingWork(terminal, [...places, ...older])
  const { nonce, expiresAt } = (await pending.recall()) ?? {}
  const isOpen = isNonce(nonce) && Number(expiresAt) > client.clock.seconds() + LEAST_SECONDS
  const challenge = await client.smartAccounts.challenge({
    manifestId,
    address,
    ...(isOpen && { nonce, expiresAt: Number(expiresAt) })
  })
  const { asked } = challenge
  await pending.keep({ nonce: asked.nonce, expiresAt: String(asked.expiresAt) })
  return { challenge, pending }
}

const bound = async (
  connection: Connection,
  input: Input,
  terminal: CommandTerminal
): Promise<CommandOutcome> => {
  const { client, identity, capabilities } = connection
  const { challenge, pending } = await challenged(connection, input, terminal)
  const { state, stateHash, typedData, asked } = challenge
  const { owners, threshold } = state
  terminal.note(
    facts([
      ["wallet", `${state.address} on chain ${state.chainId}`],
      ["owners", owners.join(", ")],
      ["signs", `${threshold} of ${owners.length}`],
      ["to", client.account]
    ])
  )
  if (!(await agreedOnTerminal(input, terminal, "Bind it to the account?", "binding the wallet")))
    return { json: {}, text: "Nothing was signed.", exitCode: ExitCode.usage }
  const request = bindingRequest(capabilities.audience, state, typedData.message)
  const work = { input, identity }
  const parts = await ownerParts(work, terminal, request, state)
  if (parts.length < threshold) return leftToOthers(work, request, parts, threshold)
  const binding = await client.smartAccounts.bind({ ...asked, stateHash, signature: packedSignatures(parts) })
  await pending.forget()
  return {
    json: binding,
    text: `${bindingText(binding)}\nNext: the same commands as before, with --wallet ${state.address}.`
  }
}

export const walletBind: Command = {
  name: "wallet bind",
  takes: "<address>",
  summary:
    "Bind a wallet to the account, so that the account acts by it: as many owners sign as the wallet asks for.",
  details:
    "The wallet is inspected, and what its owners sign is computed anew from what was found. Owners whose keys are elsewhere sign a file; the same command goes on with the same challenge for a quarter of an hour.",
  example: "service wallet bind 0x… --owner-key-file second.json",
  flags: [
    ...signedFlags,
    manifestFlag,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    ownerKeyFlag,
    ...ownerPartFlags
  ],
  keeps: true,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    return enrolled(connection, input, terminal, () => bound(connection, input, terminal))
  }
}
