/** A signer that is another program: typed data in on its standard input, the signature out on its standard output. */
import { spawn } from "node:child_process"
import type { Signer } from "../client/Signer.ts"
import { usageFailure } from "./Failure.ts"

const run = (command: string, input: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"] })
    let printed = ""
    child.stdout.on("data", chunk => {
      printed += String(chunk)
    })
    child.stdin.on("error", () => undefined)
    child.once("error", reject)
    child.once("close", code =>
      code === 0
        ? resolve(printed.trim())
        : reject(usageFailure(`The signer command ended with ${code}.`, "Read what it printed above."))
    )
    child.stdin.end(input)
  })

const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/

export const externalSigner = (command: string, address: string): Signer => ({
  address,
  signTypedData: async payload => {
    const signature = await run(command, JSON.stringify(payload))
    if (!SIGNATURE.test(signature))
      throw usageFailure(
        "The signer command printed no signature.",
        "It receives EIP-712 typed data as JSON on standard input and prints 0x and the signature, nothing else."
      )
    return signature
  }
})
