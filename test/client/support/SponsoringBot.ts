/** A program that has a plan sponsored with what it keeps in files, and is killed where its environment says. */
import { privateKeyToAccount } from "viem/accounts"
import { createClient } from "../../../src/client/main.ts"
import { filesIn } from "./FileStore.ts"

const { SERVICE = "", NODE = "", KEY = "", DIRECTORY = "", PLAN = "", KILLED = "" } = process.env
/** Otherwise no further than to the publication. */
const { TO_THE_END } = process.env

const killedAt = (point: string): void => {
  if (KILLED === point) process.kill(process.pid, "SIGKILL")
}

const wallet = privateKeyToAccount(`0x${KEY.slice(2)}`)
const client = createClient({
  baseUrl: SERVICE,
  account: `eip155:31337:${wallet.address.toLowerCase()}`,
  signer: wallet,
  fetch: async (url, init) => {
    const answer = await fetch(url, init)
    if (url.endsWith("/sponsorships")) killedAt("prepared")
    if (url.endsWith("/funding-plans")) killedAt("funded")
    if (url.endsWith("/submissions")) killedAt(url.includes("/plans/") ? "paid" : "answered")
    return answer
  }
})

const enough = new AbortController()
await client.sponsorships
  .carryOut(PLAN, {
    wallet,
    rpc: NODE,
    agree: () => true,
    store: filesIn(DIRECTORY, text => {
      if (text.includes("rawSignedTransaction")) killedAt("payment")
      if (text.includes('"pay"')) killedAt("paying")
      if (text.includes("publication")) killedAt("kept")
    }),
    signal: enough.signal,
    onProgress: ({ kind, sponsorship }) => {
      console.log(`${kind} ${sponsorship.state}`)
      if (TO_THE_END === undefined && kind === "change" && sponsorship.submission !== undefined)
        enough.abort()
    }
  })
  .then(({ sponsorship }) => console.log(sponsorship?.state))
  .catch((failure: unknown) => {
    if (!enough.signal.aborted) throw failure
  })
