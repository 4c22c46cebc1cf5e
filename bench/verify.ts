/** CPU of verifying one signed request: body hash, digest, key recovery, address. */
import { cpus } from "node:os"
import { nativeKeyRecovery, recover } from "../src/signatures/Recover.ts"
import { keccak256 } from "../src/values/Keccak.ts"
import { requestDigest } from "../src/values/TypedDataHash.ts"
import { sign, testKey } from "../test/signatures/TestKeys.ts"

const AUDIENCE = "https://api.example"
const CHAIN = 8453
const ACCOUNTS = 500
const ROUNDS = 12
const WARMING = 2

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

const SIZES = [
  { bytes: 0, bar: 70 },
  { bytes: 2_048, bar: 70 },
  { bytes: 65_536, bar: 400 }
]

const arrivalsOf = (bytes: number) => {
  const body = new Uint8Array(bytes).map((_, index) => 32 + (index % 90))
  return Array.from({ length: ACCOUNTS }, (_, index) => arrival(index, body))
}

const microseconds = (each: ReturnType<typeof arrival>): number => {
  const start = performance.now()
  if (!verify(each)) throw new Error("a good signature was refused")
  return (performance.now() - start) * 1000
}

/** The sizes take turns, so that none is measured while the machine wakes up. */
const measured = () => {
  const sizes = SIZES.map(size => ({
    ...size,
    arrivals: arrivalsOf(size.bytes),
    samples: [] as Array<number>
  }))
  for (let round = 0; round < ROUNDS; round++)
    for (const { arrivals, samples } of sizes) {
      const took = arrivals.map(microseconds)
      if (round >= WARMING) samples.push(...took)
    }
  return sizes.map(({ bytes, bar, samples }) => {
    const middle = median(samples)
    return { bytes, median: Math.round(middle * 10) / 10, bar, met: middle <= bar }
  })
}

export const run = async () => {
  const engine = (await nativeKeyRecovery())?.engine ?? "wasm"
  const results = measured()
  for (const { bytes, median, bar, met } of results)
    console.log(`${bytes} bytes: ${median} µs (bar ${bar} µs, ${met ? "met" : "missed"})`)
  return { machine: cpus()[0]?.model, engine, results }
}
