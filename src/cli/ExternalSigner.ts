/** A signer that is another program: one JSON object in on its standard input, hexadecimal out on its standard output. */
import { spawn } from "node:child_process"
import { signingParameters } from "../review/SigningDigests.ts"
import { usageFailure } from "./Failure.ts"
import type { Wallet } from "./Wallet.ts"

const run = (command: string, input: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"] })
    let printed = ""
    child.stdout
      .on("data", chunk => {
        printed += String(chunk)
      })
      .on("error", reject)
    child.stdin.on("error", () => undefined)
    child.once("error", reject)
    child.once("close", code =>
      code === 0
        ? resolve(printed.trim())
        : reject(usageFailure(`The signer command ended with ${code}.`, "Read what it printed above."))
    )
    child.stdin.end(input)
  })

const HEX = /^0x(?:[0-9a-fA-F]{2})+$/

const hexFrom = async (command: string, what: object, name: string, advice: string): Promise<string> => {
  const printed = await run(command, JSON.stringify(what))
  if (HEX.test(printed)) return printed
  throw usageFailure(`The signer command printed no ${name}.`, advice)
}

export const externalSigner = (command: string, address: string): Wallet => ({
  address,
  signTypedData: payload =>
    hexFrom(
      command,
      payload,
      "signature",
      "It receives EIP-712 typed data as JSON on standard input and prints 0x and the signature, nothing else."
    ),
  signTransaction: transaction =>
    hexFrom(
      command,
      signingParameters(address, transaction),
      "signed transaction",
      'A transaction comes as eth_signTransaction takes it, with "type": "0x2"; it prints 0x and the signed bytes, nothing else.'
    ),
  signMessage: ({ message }) =>
    hexFrom(
      command,
      { personalMessage: message },
      "signature",
      'A personal message (EIP-191) comes as {"personalMessage": "…"}, or {"personalMessage": {"raw": "0x…"}} where it is bytes; it prints 0x and the signature, nothing else.'
    )
})
