import { assert, describe, it } from "vitest"
import { placeOn, searchQuery } from "../../../src/console/projects/reading/Search.ts"
import {
  assetOf,
  assetPieces,
  supplyShareText,
  tokenCount
} from "../../../src/console/projects/words/Assets.ts"
import {
  beatTable,
  describedBars,
  describedLine,
  holdTable
} from "../../../src/console/projects/words/Describe.ts"
import {
  EVENT_FIELDS,
  type EventRow,
  eventPieces,
  soleAsset
} from "../../../src/console/projects/words/Events.ts"
import { lengthText, localInstant } from "../../../src/console/projects/words/Instants.ts"
import { positionPieces } from "../../../src/console/projects/words/Positions.ts"
import { splitRows } from "../../../src/console/projects/words/Splits.ts"
import { entityEnums } from "../../../src/indexer/generated/Entities.ts"
import { sentence } from "../../../src/review/Words.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const SOMEBODY = "0x00000000000000000000000000000000000000aa"
const NOBODY = "0x0000000000000000000000000000000000000000"
const ETHER = 10n ** 18n
const EVIL = '"</svg><script>\u202Egpj.exe\u0000'

describe("amounts", () => {
  it.each([
    ["1", assetOf(NATIVE, 18), "0.000000000000000001 ether"],
    [
      String(2n ** 256n - 1n),
      assetOf(USDC, 6, "USDC"),
      '115792089237316195423570985008687907853269984665640564039457584007913129.639935 "USDC"'
    ],
    ["-1500000", assetOf(USDC, 6, ""), `-1.5 of the token ${USDC}`],
    ["5", assetOf(USDC, 300), "5 in the smallest unit of its token"],
    ["1e3", undefined, 'untrusted "1e3"']
  ])("of %s are exact and say their unit", (value, asset, told) => {
    assert.strictEqual(sentence(assetPieces(value, asset)), told)
  })

  it("of a project's own tokens have 18 decimals, and a hostile symbol is cut, quoted and shown", () => {
    assert.strictEqual(sentence(tokenCount("1500000000000000000")), "1.5 tokens")
    const told = sentence(tokenCount("0", EVIL))
    assert.strictEqual(told, '0 "\\u{22}</svg><script>\\u{202E}gpj.…"')
  })

  it.each([
    [1n, 4n, "25 %"],
    [1n, 3n, "about 33.3333 %"],
    [1n, 10n ** 9n, "less than 0.0001 %"],
    [0n, 5n, "0 %"],
    [1n, 0n, undefined]
  ])("%s of %s is a share", (part, whole, told) => {
    assert.strictEqual(supplyShareText(part, whole), told)
  })

  it("held are told with what they are of", () => {
    const position = { balance: "5", creditBalance: "5", erc20Balance: "0", project: { tokenSupply: "20" } }
    assert.strictEqual(
      sentence(positionPieces(position)),
      "0.000000000000000005 tokens as credits, 25 % of the supply on its chain"
    )
    assert.include(
      sentence(positionPieces({ ...position, project: null })),
      "what share that is, is not known"
    )
    assert.strictEqual(
      sentence(positionPieces({ project: null })),
      "a number of tokens that is not known; what share that is, is not known"
    )
    assert.match(sentence(positionPieces({ balance: "5" })), /^0\.000000000000000005 tokens; /)
  })
})

describe("times", () => {
  it("are lengths in the largest unit that fits wholly, and instants on the person's clock", () => {
    assert.deepStrictEqual(["604800", "3600", "90", "61"].map(lengthText), [
      "7 days",
      "1 hour",
      "90 seconds",
      "61 seconds"
    ])
    assert.match(localInstant(1_750_000_000), /2025/)
    assert.strictEqual(localInstant(1e15), "1000000000000000")
  })
})

describe("events", () => {
  const project = {
    token: NATIVE.toLowerCase(),
    tokenSymbol: "ETH",
    decimals: 18,
    tokens: [NATIVE.toLowerCase()]
  }

  const told = (event: EventRow) => sentence(eventPieces(event, soleAsset(event.project ?? {})))

  it("say what was done, with amounts, receivers and memos", () => {
    const amount = String(2n * ETHER)
    const pay = { amount, newlyIssuedTokenCount: amount, beneficiary: SOMEBODY, memo: EVIL }
    assert.strictEqual(
      told({ type: "payEvent", project, payEvent: pay }),
      `Paid 2 ether, which issued 2 tokens to ${SOMEBODY}, saying "\\u{22}</svg><script>\\u{202E}gpj.exe\\u{0}"`
    )
    assert.strictEqual(
      told({
        type: "sendPayoutsEvent",
        project,
        sendPayoutsEvent: { amount: "5", amountPaidOut: amount, fee: "0" }
      }),
      "Sent payouts of 2 ether, with a fee of 0 ether"
    )
    assert.strictEqual(
      told({
        type: "sendPayoutToSplitEvent",
        project,
        sendPayoutToSplitEvent: { netAmount: amount, splitProjectId: 7 }
      }),
      "Paid out 2 ether to project 7"
    )
  })

  it("keep the smallest unit where a project accounts in several tokens", () => {
    const event = {
      type: "addToBalanceEvent",
      project: { ...project, tokens: ["a", "b"] },
      addToBalanceEvent: { amount: "7" }
    }
    assert.strictEqual(told(event), "Added 7 in the smallest unit of its token to the balance")
  })

  it("of every kind have words, with and without their details, and foreign kinds are shown as such", () => {
    for (const type of Object.keys(entityEnums.activityEventType))
      assert.match(told({ type }), /^[A-Z][a-z]/, type)
    for (const type of Object.keys(entityEnums.activityEventType)) assert.notInclude(told({ type }), type)
    assert.strictEqual(told({ type: "constructor" }), "An event of the kind constructor")
    assert.strictEqual(told({ type: null }), "Something of which the index tells no kind")
    assert.strictEqual(told({ type: "payEvent", payEvent: null }), "Paid the project")
  })

  it("are asked for by no more fields than a question may have", () => {
    assert.isAtMost(EVENT_FIELDS.length, 48)
    assert.strictEqual(new Set(EVENT_FIELDS).size, EVENT_FIELDS.length)
  })
})

describe("splits", () => {
  const split = {
    percent: "500000000",
    projectId: "0",
    beneficiary: SOMEBODY,
    preferAddToBalance: false,
    lockedUntil: "0",
    hook: NOBODY
  } as const
  const known = {
    wallet: SOMEBODY.toUpperCase().replace("0X", "0x"),
    owner: USDC,
    projects: new Map([["3", EVIL]]),
    symbols: new Map<string, string>(),
    nowMillis: 0
  }

  const told = (...splits: ReadonlyArray<Partial<typeof split> | Readonly<Record<string, unknown>>>) =>
    splitRows("to", { status: "known", value: splits.map(over => ({ ...split, ...over })) }, known).rows?.map(
      ({ name, value }) => `${name} ${sentence(value)}`
    )

  it("name who gets what, and the rest", () => {
    assert.deepStrictEqual(told({}, { percent: "1", beneficiary: USDC }), [
      `50 % your wallet ${SOMEBODY}`,
      `0.0000001 % the owner ${USDC}`,
      "49.9999999 % the rest, to the owner"
    ])
    assert.deepStrictEqual(
      told({ percent: "1000000000", projectId: "3", beneficiary: NOBODY, lockedUntil: "86400" }),
      [
        '100 % project 3 "\\u{22}</svg><script>\\u{202E}gpj.exe\\u{0}"; locked until 1970-01-02T00:00:00Z, in 1 day'
      ]
    )
    assert.deepStrictEqual(told({ hook: USDC })?.[0], `50 % the hook ${USDC}`)
  })

  it("that are none or not known say so", () => {
    assert.strictEqual(
      sentence(splitRows("to", { status: "known", value: [] }, known).value),
      "all to the owner"
    )
    const error = { code: "RPC_UNAVAILABLE", message: "no\u202E answer", retryable: true } as const
    const row = splitRows("to", { status: "unknown", error }, known)
    assert.strictEqual(sentence(row.value), "not known: RPC_UNAVAILABLE no\\u{202E} answer")
  })
})

describe("a picture in words", () => {
  const show = String
  const span = { from: 0, until: 86_400 }

  it("says its span, its extremes, its last value and its gaps, and has a table of the same", () => {
    const holds = [
      { from: 0, until: 10, value: 5n },
      { from: 20, until: 86_400, value: 3n }
    ]
    assert.strictEqual(
      describedLine(holds, span, 1, show),
      "From 1970-01-01T00:00:00Z to 1970-01-02T00:00:00Z: between 3 and 5, at last 3. Of one stretch nothing is known."
    )
    assert.deepStrictEqual(holdTable(holds, show)[0], ["1970-01-01T00:00:20Z", "1970-01-02T00:00:00Z", "3"])
    assert.include(describedLine([], span, 1, show), "nothing is known")
    assert.deepStrictEqual(holdTable([{ from: 5, until: 5, value: 1n }], show), [
      ["1970-01-01T00:00:05Z", "not known", "1"]
    ])
    const beats = [
      { at: 1, value: 2n },
      { at: 2, value: 3n }
    ]
    assert.include(describedBars(beats, span, 0, show), "2, in all 5.")
    assert.include(describedBars([], span, 0, show), ": none.")
    assert.deepStrictEqual(beatTable(beats, show)[0], ["1970-01-01T00:00:02Z", "3"])
  })
})

describe("a search", () => {
  const chains = [
    { id: 1, testnet: false },
    { id: 84_532, testnet: true }
  ]

  it("is by number, name or owner, on a network or a chain", () => {
    assert.deepStrictEqual(placeOn("84532", { chains }), { network: "testnet", chainId: 84_532 })
    assert.deepStrictEqual(placeOn("evil", { chains }), { network: "mainnet", chainId: undefined })
    assert.deepStrictEqual(placeOn(null, { chains: chains.slice(1) }), {
      network: "testnet",
      chainId: undefined
    })
    const place = { network: "mainnet", chainId: undefined } as const
    assert.deepStrictEqual(searchQuery(USDC, place).filters, { AND: [{ owner: USDC.toLowerCase() }] })
    assert.lengthOf(JSON.stringify(searchQuery("12", place).filters).match(/projectId/g) ?? [], 1)
    assert.notInclude(JSON.stringify(searchQuery("99999999999", place).filters), "projectId")
    assert.isUndefined(searchQuery("", place).filters)
  })
})
