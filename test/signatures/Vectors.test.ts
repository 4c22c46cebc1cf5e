import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { recoverAddress, SigningKey, TypedDataEncoder, verifyTypedData } from "ethers"
import { publishedTypedData } from "../../scripts/typed-data/Published.ts"
import { files } from "../../scripts/vectors/files.ts"
import { diagnose } from "../../src/signatures/Diagnosis.ts"
import { recover } from "../../src/signatures/Recover.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import { type MessageType, messageTypes } from "../../src/values/TypedData.ts"
import { fromHex } from "../../src/values/TypedDataHash.ts"

const published = (...path: ReadonlyArray<string>) => readFileSync(join("schema", ...path), "utf8")

const rewrite = "run npm run vectors and npm run typed-data, and look at what changed"

describe("the published files are the ones that the code writes", () => {
  it.each(Object.entries(files))("%s", (name, content) => {
    expect(published("vectors", name), rewrite).toBe(`${JSON.stringify(content, null, 2)}\n`)
  })
  it("typed-data.json", () => {
    expect(published("typed-data.json"), rewrite).toBe(`${JSON.stringify(publishedTypedData, null, 2)}\n`)
  })
})

const Published = Schema.parseJson(
  Schema.Struct({
    vectors: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        valid: Schema.Boolean,
        audience: Schema.String,
        chainId: Schema.Number,
        serverTime: Schema.Number,
        body: Schema.optional(Schema.String),
        message: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
        signer: Schema.String,
        signature: Schema.String,
        trace: Schema.Struct({
          domain: Schema.Struct({ typeHash: Schema.String, hash: Schema.String }),
          message: Schema.Struct({
            typeHash: Schema.String,
            hash: Schema.String,
            members: Schema.Array(Schema.Struct({ name: Schema.String, word: Schema.String }))
          }),
          digest: Schema.String
        }),
        expected: Schema.Struct({
          recovered: Schema.NullOr(Schema.String),
          problem: Schema.NullOr(Schema.String),
          likelyCause: Schema.NullOr(Schema.String)
        })
      })
    )
  })
)

type Vector = (typeof Published.Type)["vectors"][number]

const read = (name: string) => Schema.decodeSync(Published)(published("vectors", name)).vectors

const vectorFiles: ReadonlyArray<readonly [string, MessageType, ReadonlyArray<string>]> = [
  ["requests.json", "ServiceRequest", ["INVALID_SIGNATURE"]],
  ["bot-proofs.json", "ServiceBotProof", ["INVALID_BOT_PROOF"]],
  ["transaction-approvals.json", "ServiceTransactionApproval", ["INVALID_OWNER_APPROVAL_SIGNATURE"]],
  ["sponsorship-approvals.json", "ServiceSponsorshipApproval", ["INVALID_OWNER_APPROVAL_SIGNATURE"]]
]

const domainOf = ({ audience, chainId }: Vector) => ({
  name: "Service REST",
  version: "1",
  chainId,
  salt: keccak256(new TextEncoder().encode(audience))
})

/** Everything of the trace again, by an encoder that is not ours. */
const checkTrace = (type: MessageType, vector: Vector) => {
  const types = { [type]: [...messageTypes[type]] }
  const { trace, message } = vector
  const domain = domainOf(vector)
  const encoded = TypedDataEncoder.from(types).encodeData(type, message)
  expect(trace.domain.hash).toBe(TypedDataEncoder.hashDomain(domain))
  expect(`${trace.message.typeHash}${trace.message.members.map(({ word }) => word.slice(2)).join("")}`).toBe(
    encoded
  )
  expect(trace.message.hash).toBe(TypedDataEncoder.from(types).hash(message))
  expect(trace.digest).toBe(TypedDataEncoder.hash(domain, types, message))
  expect(trace.message.members.map(({ name }) => name)).toEqual(Object.keys(message))
}

const isInTime = ({ message: { issuedAt, expiresAt }, serverTime }: Vector): boolean => {
  const [from, to] = [Number(issuedAt), Number(expiresAt)]
  return from <= serverTime + 30 && to > serverTime && to > from && to - from <= 300
}

const isWellFormed = ({ signature, message: { nonce } }: Vector): boolean =>
  /^0x(?:[0-9a-f]{2}){1,8192}$/.test(signature) && !/[A-F]/.test(String(nonce))

const checkVerdict = (vector: Vector, signatureCodes: ReadonlyArray<string>) => {
  const { expected, signer, signature, trace } = vector
  const recovered = recover(fromHex(trace.digest), signature) ?? null
  expect(recovered).toBe(expected.recovered)
  const isRefusedSignature = signatureCodes.includes(expected.problem ?? "")
  if (expected.problem === "INVALID_AUTH") return expect(isWellFormed(vector)).toBe(false)
  expect(isWellFormed(vector)).toBe(true)
  expect(recovered === signer, "recovers to the signer").toBe(!isRefusedSignature)
  expect(vector.valid).toBe(expected.problem === null)
  return undefined
}

const checkByEthers = (type: MessageType, vector: Vector) => {
  const { message, signature, signer, trace } = vector
  const types = { [type]: [...messageTypes[type]] }
  expect(verifyTypedData(domainOf(vector), types, message, signature).toLowerCase()).toBe(signer)
  expect(recoverAddress(trace.digest, signature).toLowerCase()).toBe(signer)
  const key = files["keys.json"].keys.find(({ address }) => address === signer)
  expect(new SigningKey(key?.privateKey ?? "0x").sign(trace.digest).serialized).toBe(signature)
}

describe.each(vectorFiles)("%s", (file, type, signatureCodes) => {
  const vectors = read(file)
  it("names every vector once and has good and bad ones", () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
    expect(vectors.filter(({ valid }) => valid).length).toBeGreaterThan(4)
    expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThan(4)
  })
  it.each(vectors)("$name", vector => {
    checkTrace(type, vector)
    checkVerdict(vector, signatureCodes)
    if (vector.valid) checkByEthers(type, vector)
    if (vector.valid && "issuedAt" in vector.message) expect(isInTime(vector)).toBe(true)
    if (/EXPIRED/.test(vector.expected.problem ?? "")) expect(isInTime(vector)).toBe(false)
  })
})

describe("diagnosis", () => {
  const { configuredChains, vectors } = files["requests.json"]
  it.each(vectors)("$name: $expected.likelyCause", vector => {
    const diagnosis = diagnose({
      signed: vector.message,
      chainId: vector.chainId,
      body: fromHex(vector.body ?? "0x"),
      otherChainIds: configuredChains,
      signature: vector.signature,
      serverTime: vector.serverTime
    })
    expect(diagnosis.likelyCause ?? null).toBe(vector.expected.likelyCause)
    expect(diagnosis.digest).toBe(vector.trace.digest)
    expect(keccak256(fromHex(vector.body ?? "0x"))).toBe(vector.message.bodyHash)
  })
})
