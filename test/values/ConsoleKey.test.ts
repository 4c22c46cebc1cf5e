import { describe, expect, it } from "@effect/vitest"
import { encodePacked, hashTypedData, keccak256, stringToHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { publishedTypedData } from "../../scripts/typed-data/Published.ts"
import { consoleKeyFrom, consoleKeyTypedData } from "../../src/values/ConsoleKey.ts"
import { toHex } from "../../src/values/TypedDataHash.ts"

const AUDIENCE = "https://service.example"
const SALT = `0x${"5a".repeat(32)}` as const
const OTHER_SALT = `0x${"5b".repeat(32)}` as const
const owner = privateKeyToAccount(`0x${"11".repeat(32)}`)
const accountId = `eip155:10:${owner.address.toLowerCase()}`

const asked = (audience: string, salt: `0x${string}`) =>
  consoleKeyTypedData({ audience, accountId, chainId: 10 }, salt)

const digest = ({ domain, types, primaryType, message }: ReturnType<typeof asked>) => {
  const { EIP712Domain, ServiceConsoleKey } = types
  const members = { EIP712Domain: [...EIP712Domain], ServiceConsoleKey: [...ServiceConsoleKey] }
  return hashTypedData({
    domain: { ...domain, chainId: BigInt(domain.chainId) },
    types: members,
    primaryType,
    message
  })
}

describe("what is signed for the key of a tab", () => {
  it("names the site and the account, and the salt by its hash alone", () => {
    const { domain, message } = asked(AUDIENCE, SALT)
    expect(message).toMatchObject({ audience: AUDIENCE, accountId, saltHash: keccak256(SALT) })
    expect(message.purpose).toContain(`${AUDIENCE}/console`)
    expect(JSON.stringify({ domain, message })).not.toContain(SALT.slice(2))
    expect(domain).toEqual({
      name: "Service Console Key",
      version: "1",
      chainId: 10,
      salt: keccak256(stringToHex(AUDIENCE))
    })
  })

  it("is another message on another site and for another salt", () => {
    const all = [asked(AUDIENCE, SALT), asked(AUDIENCE, OTHER_SALT), asked("https://evil.example", SALT)]
    expect(new Set(all.map(digest)).size).toBe(3)
  })

  it("is published with its types and the way to the key", () => {
    const { consoleKey } = publishedTypedData
    const { encodedType, typeHash } = consoleKey.typeHashes.ServiceConsoleKey ?? {}
    expect(encodedType).toBe(
      "ServiceConsoleKey(string purpose,string audience,string accountId,bytes32 saltHash)"
    )
    expect(typeHash).toBe(keccak256(stringToHex(encodedType ?? "")))
  })
})

describe("the key of a tab", () => {
  const signature = `0x${"c3".repeat(65)}`

  it("is the hash of its label, the salt and the signature", () => {
    const packed = encodePacked(
      ["string", "bytes32", "bytes"],
      ["Service Console Key 1", SALT, `0x${"c3".repeat(65)}`]
    )
    expect(toHex(consoleKeyFrom(SALT, signature))).toBe(keccak256(packed))
  })

  it("is another one for another salt or another signature", () => {
    const keys = [
      consoleKeyFrom(SALT, signature),
      consoleKeyFrom(OTHER_SALT, signature),
      consoleKeyFrom(SALT, `0x${"c4".repeat(65)}`)
    ]
    expect(new Set(keys.map(toHex)).size).toBe(3)
  })

  it("is not made of the salt alone, nor of what is no bytes", () => {
    for (const none of ["0x", `0x${"c3".repeat(64)}`, "signed", `0x${"zz".repeat(65)}`])
      expect(() => consoleKeyFrom(SALT, none)).toThrow(RangeError)
  })
})
