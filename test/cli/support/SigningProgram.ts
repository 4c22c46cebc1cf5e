/** A program of somebody else's that signs what it is given, as `--signer-command` has it. */
import { writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"

/** The flags that name it. */
export const signingProgram = async (directory: string, key: Hex): Promise<ReadonlyArray<string>> => {
  const program = join(directory, "signer.mjs")
  const viem = JSON.stringify(createRequire(import.meta.url).resolve("viem/accounts"))
  await writeFile(
    program,
    `import { privateKeyToAccount } from ${viem}
     const account = privateKeyToAccount("${key}")
     let text = ""
     for await (const chunk of process.stdin) text += chunk
     const asked = JSON.parse(text)
     const { type, from, nonce, chainId, ...rest } = asked
     const integers = Object.fromEntries(
       ["value", "gas", "maxFeePerGas", "maxPriorityFeePerGas"].map(name => [name, BigInt(rest[name] ?? 0)])
     )
     const numbers = { nonce: Number(nonce), chainId: Number(chainId) }
     console.log(
       type === "0x2"
         ? await account.signTransaction({ type: "eip1559", to: rest.to, data: rest.data, ...integers, ...numbers })
         : await account.signTypedData(asked)
     )`
  )
  const { address } = privateKeyToAccount(key)
  return ["--signer-command", `"${process.execPath}" ${program}`, "--address", address]
}
