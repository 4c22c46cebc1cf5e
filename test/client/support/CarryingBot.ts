/** A program that carries a plan out with what it keeps in files, and is killed where its environment says. */
import { privateKeyToAccount } from "viem/accounts"
import { createClient } from "../../../src/client/main.ts"
import { filesIn } from "./FileStore.ts"

const { SERVICE = "", NODE = "", KEY = "", DIRECTORY = "", PLAN = "", KILLED = "" } = process.env

const killed = (): never => {
  process.kill(process.pid, "SIGKILL")
  throw new Error("it lives")
}

const files = filesIn(DIRECTORY, text => {
  if (KILLED === "kept" && text.includes("rawSignedTransaction")) killed()
})

const wallet = privateKeyToAccount(`0x${KEY.slice(2)}`)
const client = createClient({
  baseUrl: SERVICE,
  account: `eip155:31337:${wallet.address.toLowerCase()}`,
  signer: wallet,
  fetch: async (url, init) => {
    const isSubmission = url.endsWith("/submissions")
    const answer = await fetch(url, init)
    if (KILLED === "answered" && isSubmission) killed()
    return answer
  }
})

const plan = await client.plans.show(PLAN)
const carried = await client.plans.carryOut(plan, {
  wallet,
  rpc: NODE,
  store: files,
  onProgress: ({ kind }) => {
    if (kind === "again") console.log("again")
  }
})
console.log(carried.status)
