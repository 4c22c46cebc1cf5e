/** CPU of verifying one signed request: body hash, digest, key recovery, address. */
import { cpus } from "node:os"
import { nativeKeyRecovery } from "../src/signatures/KeyRecovery.ts"
import { recover } from "../src/signatures/Recover.ts"
import { keccak256 } from "../src/values/Keccak.ts"
import { requestDigest } from "../src/values/TypedDataHash.ts"
import { sign, testKey } from "../test/signatures/TestKeys.ts"

const AUDIENCE = "https://api.example"
const CHAIN = 8453
const ACCOUNTS = 500
const ROUNDS = 6

const arrival = (index: number, body: Uint8Array) => {
  const key = testKey(`bench ${index}`)
  const request = {
    accountId: `eip155:${CHAIN}:${key.address}`,
    signer: key.address,
    grantId: "",
    method: "POST",
    requestTarget: `/api/v1/accounts/eip155:${CHAIN}:${key.address}/plans?page=${index}`,
    contentType: "application/json",
    issuedAt: 1_900_000_000,
    expiresAt: 1_900_000_060,
    nonce: `0x${index.toString(16).padStart(64, "0")}`,
    idempotencyKey: `key-${index}`
  } as const
  const digest = requestDigest(AUDIENCE, CHAIN, { ...request, bodyHash: keccak256(body) })
  return { request, body, signer: key.address, signature: sign(key, digest) }
}

const verify = ({ request, body, signer, signature }: ReturnType<typeof arrival>): boolean =>
  recover(requestDigest(AUDIENCE, CHAIN, { ...request, bodyHash: keccak256(body) }), signature) === signer

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const microseconds = (arrivals: ReadonlyArray<ReturnType<typeof arrival>>): number => {
  const samples: Array<number> = []
  for (let round = 0; round < ROUNDS; round++)
    for (const each of arrivals) {
      const start = performance.now()
      if (!verify(each)) throw new Error("a good signature was refused")
      if (round > 0) samples.push((performance.now() - start) * 1000)
    }
  return median(samples)
}

const measure = (bytes: number, bar: number) => {
  const body = new Uint8Array(bytes).map((_, index) => 32 + (index % 90))
  const median = microseconds(Array.from({ length: ACCOUNTS }, (_, index) => arrival(index, body)))
  return { bytes, median: Math.round(median * 10) / 10, bar, met: median <= bar }
}

export const run = async () => {
  const engine = (await nativeKeyRecovery())?.engine ?? "wasm"
  const results = [measure(0, 70), measure(2048, 70), measure(65_536, 400)]
  for (const { bytes, median, bar, met } of results)
    console.log(`${bytes} bytes: ${median} µs (bar ${bar} µs, ${met ? "met" : "missed"})`)
  return { machine: cpus()[0]?.model, engine, results }
}
