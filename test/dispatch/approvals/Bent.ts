/** A good approval whose signature, shape or very JSON was bent. */
import {
  every,
  flipHex,
  type Ground,
  type Hex,
  type Mutant,
  SHAPE,
  SIGNATURE,
  type Signed,
  signedBy
} from "./Ground.ts"

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`

/** Other bytes for the same consent; none of them is a second way to say yes. */
const bent = (good: Signed): ReadonlyArray<Mutant> => {
  const { signature } = good
  const r = signature.slice(2, 66)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number.parseInt(signature.slice(130), 16)
  const withV = (other: number): Hex => `0x${signature.slice(2, 130)}${other.toString(16).padStart(2, "0")}`
  const highS: Hex = `0x${r}${(ORDER - s).toString(16).padStart(64, "0")}${(55 - v).toString(16)}`
  const compact: Hex = `0x${r}${(s | (BigInt(v - 27) << 255n)).toString(16).padStart(64, "0")}`
  const forms: ReadonlyArray<readonly [string, Hex]> = [
    ...every(520, 13).map(bit => [`bit ${bit} flipped`, flipHex(signature, bit)] as const),
    ...[0, 1, 2, 26, 29, 35, 36, 62709, 255].map(other => [`v ${other}`, withV(other)] as const),
    ["the other v", withV(55 - v)],
    ["high s", highS],
    ["high s with the same v", `0x${highS.slice(2, 130)}${v.toString(16)}`],
    ["EIP-2098", compact],
    ["EIP-2098 with a byte more", `${compact}00`],
    ["r and s swapped", `0x${signature.slice(66, 130)}${r}${v.toString(16)}`],
    ["v first", `0x${v.toString(16)}${signature.slice(2, 130)}`],
    ["zeros", `0x${"00".repeat(65)}`],
    ["ones", `0x${"ff".repeat(65)}`],
    ["one byte", "0x1b"],
    ...[1, 32, 63, 64].map(
      bytes => [`its first ${bytes} bytes`, `0x${signature.slice(2, 2 + 2 * bytes)}` as const] as const
    ),
    ...["00", "1b", "00".repeat(31), signature.slice(2)].map(
      more => [`${more.length / 2} bytes more`, `${signature}${more}` as const] as const
    ),
    ["an ERC-6492 wrapper", `${signature}${"6492".repeat(16)}`],
    ["8192 bytes", `${signature}${"00".repeat(8192 - 65)}`]
  ]
  return forms.map(([name, bytes]) => ({
    name: `signature: ${name}`,
    code: SIGNATURE,
    given: { ...good, signature: bytes }
  }))
}

const shapeless = (good: Signed): ReadonlyArray<Mutant> => {
  const wrong = (name: string, given: unknown): Mutant => ({ name, code: SHAPE, given })
  const members = Object.entries(good)
  const replaced = (name: string, value: unknown) =>
    wrong(`${name}: ${JSON.stringify(value)}`.slice(0, 90), { ...good, [name]: value })
  return [
    ...members.map(([name]) =>
      wrong(`no ${name}`, Object.fromEntries(members.filter(([other]) => other !== name)))
    ),
    ...members.flatMap(([name, value]) =>
      [null, [value], { value }, true, typeof value === "string" ? 7 : String(value)].map(other =>
        replaced(name, other)
      )
    ),
    ...members.map(([name, value]) =>
      wrong(`${name.toUpperCase()} for ${name}`, {
        ...Object.fromEntries(members.filter(([other]) => other !== name)),
        [name.toUpperCase()]: value
      })
    ),
    ...[
      "audience",
      "isOwner",
      "signer",
      "sponsorshipId",
      "submissionHash",
      "toString",
      "",
      "\u0430ccountId"
    ].map(name => wrong(`a member ${name} more`, { ...good, [name]: "x" })),
    ...(["commitment", "transactionHash", "nonce"] as const).flatMap(name => [
      replaced(name, upper(good[name])),
      replaced(name, good[name].slice(2)),
      replaced(name, `0X${good[name].slice(2)}`),
      replaced(name, good[name].slice(0, -2)),
      replaced(name, `${good[name]}00`),
      replaced(name, `${good[name]}\n`),
      replaced(name, `${good[name].slice(0, -1)}\uff11`)
    ]),
    ...[
      "",
      "0x",
      "0x0",
      good.signature.slice(2),
      `0X${good.signature.slice(2)}`,
      `${good.signature}0`,
      `${good.signature} `,
      `0x${"zz".repeat(65)}`,
      `0x${"00".repeat(8193)}`
    ].map(bytes => replaced("signature", bytes)),
    ...[-1, 0.5, 2 ** 32, 2 ** 53 - 1].map(index => replaced("stepIndex", index)),
    ...[-1, 0.5, good.issuedAt + 0.25].flatMap(time => [
      replaced("issuedAt", time),
      replaced("expiresAt", time)
    ]),
    ...[
      null,
      0,
      1,
      "",
      "yes",
      true,
      false,
      [],
      {},
      [good],
      { approval: good },
      JSON.stringify(good),
      good.signature
    ].map(given => wrong(`${JSON.stringify(given)} in its place`.slice(0, 60), given))
  ]
}

/** What the JSON itself may not say, wherever it stands. */
const unspeakable = (good: Signed): ReadonlyArray<Mutant> => {
  const text = JSON.stringify(good)
  const inside = (more: string) => `${text.slice(0, -1)},${more}}`
  const made: ReadonlyArray<readonly [string, string, string]> = [
    ["a member twice", "DUPLICATE_JSON_KEY", inside(`"stepIndex":${good.stepIndex}`)],
    ["an escaped member twice", "DUPLICATE_JSON_KEY", inside(`"\\u0073tepIndex":1`)],
    ["a signature twice", "DUPLICATE_JSON_KEY", inside(`"signature":"${good.signature}"`)],
    ["__proto__", "RESERVED_JSON_KEY", inside('"__proto__":{"stepIndex":0}')],
    ["constructor", "RESERVED_JSON_KEY", inside('"constructor":1')],
    ["prototype", "RESERVED_JSON_KEY", inside('"prototype":1')],
    ["depth", "JSON_TOO_COMPLEX", inside(`"x":${"[".repeat(40)}${"]".repeat(40)}`)],
    ["a huge time", "UNSAFE_JSON_NUMBER", text.replace(/"expiresAt":\d+/, '"expiresAt":9007199254740993')],
    ["NaN", "INVALID_JSON", text.replace(/"expiresAt":\d+/, '"expiresAt":NaN')],
    ["a hexadecimal step", "INVALID_JSON", text.replace(/"stepIndex":\d+/, '"stepIndex":0x0')],
    ["a step with leading zeros", "INVALID_JSON", text.replace(/"stepIndex":\d+/, '"stepIndex":00')],
    ["a comment", "INVALID_JSON", inside("/* */")]
  ]
  return made.map(([name, code, given]) => ({ name: `JSON: ${name}`, code, given: undefined, text: given }))
}

export const bentMutants = async (ground: Ground): Promise<ReadonlyArray<Mutant>> => {
  const good = await signedBy(ground.owner, ground)
  return [...bent(good), ...shapeless(good), ...unspeakable(good)]
}
