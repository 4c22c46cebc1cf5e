/** The file in which people say what a session is to allow, an example of it, and what it becomes as a request. */
import { Either, ParseResult, Schema } from "effect"
import { isRecord } from "effect/Predicate"
import { getAddress } from "viem"
import { partsOfAccount } from "../client/SignRequest.ts"
import { NATIVE_ASSET } from "../sessions/KnownRights.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { jsonFrom, textFrom } from "./Json.ts"
import type { PendingRecord } from "./Pending.ts"
import { bindingNamed } from "./WalletBindings.ts"
import { deploymentOf } from "./WalletManifest.ts"

export const sessionFileFlags: ReadonlyArray<Flag> = [
  {
    name: "wallet",
    value: "<address>",
    help: "The wallet that the session is of, or its binding's id; else bindingId in the file."
  },
  {
    name: "bot",
    value: "<grant or address>",
    help: "The bot whose key it is; else grantId in the file. A bot's own by default."
  }
]

type Members = Readonly<Record<string, unknown>>

/** What the file says, and of whom it is. */
export interface FiledSession {
  readonly file: Members
  readonly bindingId: string
  readonly grantId: string
  /** The bot's address, where it is known. */
  readonly sessionKey?: string | undefined
}

const ADVICE = "Begin with what service session review --example prints."

const fileAt = async (path: string): Promise<Members> => {
  const what = path === "-" ? "The standard input" : `The file ${path}`
  const value = jsonFrom(await textFrom(path), what)
  if (isRecord(value)) return value
  throw usageFailure(`${what} is no JSON object.`, ADVICE)
}

const textIn = (file: Members, member: string): string | undefined =>
  file[member] === undefined ? undefined : String(file[member])

type NamedBot = Pick<FiledSession, "grantId" | "sessionKey">

const botNamed = async (
  { client, identity: { grantId: own, wallet } }: Connection,
  named = own
): Promise<NamedBot> => {
  if (named === undefined) throw usageFailure("Which bot?", "Give --bot: its grant, or its address.")
  if (own !== undefined) return { grantId: named, sessionKey: named === own ? wallet.address : undefined }
  const text = named.toLowerCase()
  const found = (await client.bots.list()).filter(
    ({ id, botAddress, state }) => id === text || (botAddress.toLowerCase() === text && state === "active")
  )
  const [only] = found
  if (only !== undefined && found.length === 1)
    return { grantId: only.id, sessionKey: text.startsWith("0x") ? text : only.botAddress }
  throw usageFailure(
    `The account has ${found.length === 0 ? "no such bot" : "several grants"} for ${named}.`,
    '"service bot list" shows the grants; name one by its id.'
  )
}

/** What the file and the flags say; flags go before the file. */
export const filedSession = async (connection: Connection, input: Input): Promise<FiledSession> => {
  const file = await fileAt(input.needed(0))
  const wallet = input.value("wallet") ?? textIn(file, "bindingId")
  if (wallet === undefined) throw usageFailure("Which wallet?", "Give --wallet, or bindingId in the file.")
  const { id } = await bindingNamed(connection, wallet)
  const bot = await botNamed(connection, input.value("bot") ?? textIn(file, "grantId"))
  return { file, bindingId: id, ...bot }
}

/** For a head that is a little behind. */
const MARGIN_SECONDS = 30

const freshNonce = (): string =>
  `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`

/** What the command chooses where the file does not say it: by the time, since other grants and accounts may have had sessions of the same key. */
export const chosenFor = ({ client }: Connection, { file }: FiledSession): PendingRecord => {
  const now = client.clock.seconds()
  return {
    nonce: textIn(file, "nonce") ?? freshNonce(),
    generation: textIn(file, "generation") ?? String(now),
    validAfter: textIn(file, "validAfter") ?? String(now - MARGIN_SECONDS)
  }
}

/** As the service takes it; what it would not take is said by its place. */
export const requestOfSession = <Request, Encoded>(
  schema: Schema.Schema<Request, Encoded>,
  { file, bindingId, grantId }: FiledSession,
  { nonce, generation, validAfter }: PendingRecord
): Request => {
  const members = {
    allocations: [],
    ...file,
    bindingId,
    grantId,
    nonce,
    generation,
    validAfter: Number(validAfter)
  }
  return Either.getOrThrowWith(Schema.decodeUnknownEither(schema)(members), fault => {
    const [issue] = ParseResult.ArrayFormatter.formatErrorSync(fault)
    return usageFailure(
      `${issue?.path.join(".") || "The file"}: ${issue?.message ?? "cannot be read"}.`,
      ADVICE
    )
  })
}

/** The same finds the session of an earlier run. */
export const meaningOf = ({ file, bindingId, grantId }: FiledSession): string =>
  canonicalJson({ ...file, bindingId, grantId })

const TIP = { perCallLimit: "10000000000000000", totalLimit: "100000000000000000" }

/** A bot that may tip a project for a week, on the deployment's own chain. */
export const exampleSession = async ({ client }: Connection, input: Input) => {
  const { chainId, manifest } = deploymentOf(input, await client.smartAccounts.capabilities())
  const terminal = manifest.reviewed.targets.find(({ kind }) => /terminal/.test(kind))?.address
  if (terminal === undefined)
    throw usageFailure(
      `The manifest ${manifest.id} reviewed no terminal.`,
      "Ask the service's operator which actions its wallets may take."
    )
  return {
    durationDays: 7,
    maximumCalls: 20,
    gasBudget: {
      paymaster: null,
      paymasterDataLength: 0,
      maxGasPerOperation: "2000000",
      maxFeePerGas: "10000000000",
      maxPriorityFeePerGas: "10000000000",
      totalGasLimit: "40000000",
      totalCostLimit: "400000000000000000"
    },
    allocations: [
      {
        id: "tips",
        total: TIP.totalLimit,
        allocations: [{ id: "tips", chainId, asset: NATIVE_ASSET, limit: TIP.totalLimit }]
      }
    ],
    actions: [
      {
        kind: "v6-pay",
        allocationId: "tips",
        beneficiary: getAddress(partsOfAccount(client.account).owner),
        ...TIP,
        terminal,
        projectId: input.value("project") ?? "1",
        minReturnedTokens: "0"
      }
    ]
  }
}
