/** Bodies each of whose members is replaced by what it must not be. */

type Body = Readonly<Record<string, unknown>>

/** What no member of a body of the smart accounts' and the operations' routes may be, but where it fits. */
const NEVER: ReadonlyArray<unknown> = [
  null,
  true,
  -1,
  0.5,
  1e308,
  "",
  " ",
  "-1",
  "1.5",
  "0x",
  "0x1",
  "0xzz",
  `0x${"00".repeat(33)}`,
  `0x${"AB".repeat(32)} `,
  (2n ** 256n).toString(),
  `0x${"0".repeat(39)}g`,
  "é".repeat(70),
  "\u0000",
  "__proto__",
  "../../etc",
  [],
  {},
  [[]],
  Array.from({ length: 33 }, () => null),
  Array.from({ length: 10_000 }, () => 1),
  { constructor: 1 }
]

export const spoiltBodies = (
  body: Body,
  fitting: Readonly<Record<string, ReadonlyArray<unknown>>> = {}
): ReadonlyArray<readonly [what: string, body: unknown]> => [
  ...Object.keys(body).flatMap(member =>
    NEVER.filter(value => !fitting[member]?.includes(value)).map(
      value => [`${member}: ${JSON.stringify(value)?.slice(0, 40)}`, { ...body, [member]: value }] as const
    )
  ),
  ...Object.keys(body).map(member => [`no ${member}`, { ...body, [member]: undefined }] as const),
  ["one more", { ...body, more: 1 }],
  ["__proto__", JSON.parse(`{"__proto__": {}, ${JSON.stringify(body).slice(1)}`)],
  ["a list", [body]],
  ["nothing", null]
]
