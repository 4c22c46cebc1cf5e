/** A client whose requests are answered here, without a service. */
import { type Client, createClient } from "../../../src/client/Client.ts"
import { newKey } from "../../support/Bots.ts"

/** A `Response` is answered as it is, everything else as JSON. */
export const answeredClient = (answer: (url: URL) => object | Promise<object>): Client => {
  const signer = newKey()
  const baseUrl = "https://service.example"
  return createClient({
    baseUrl,
    audience: baseUrl,
    account: `eip155:1:${signer.address.toLowerCase()}`,
    signer,
    retries: 0,
    fetch: async input => {
      const answered = await answer(new URL(String(input)))
      return answered instanceof Response ? answered : Response.json(answered)
    }
  })
}
