/** What a verb is: an operation that prepares a plan, and how flags become its input. */
import { parseUnits } from "viem"
import type { WalletPlanRequest } from "../../client/SmartAccounts.ts"
import type { PrepareId } from "../../operations/generated/OperationIds.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import type { Flag } from "../Command.ts"
import type { Connection } from "../Connection.ts"
import type { Input } from "../Input.ts"

export type Members = Readonly<Record<string, unknown>>

export interface VerbField {
  readonly flag: Flag
  /** The member of the operation's input that it fills. */
  readonly member: string
  /** Undefined where the flag is not given. */
  readonly read: (input: Input) => unknown
  /** What it is where neither the flag nor the file tells, from what is known by then: `account` and the fields before. */
  readonly otherwise?: (known: Members) => unknown
  /** Refused where nothing tells it. */
  readonly needed?: boolean
}

export interface Verb {
  readonly name: string
  readonly operation: PrepareId
  readonly summary: string
  readonly details?: string
  /** A whole command line. */
  readonly example: string
  /** What the operation is about: a project, or a chain as a whole. */
  readonly about: "project" | "chain"
  /** Where neither flags nor the file tell. */
  readonly defaults?: Members
  readonly fields: ReadonlyArray<VerbField>
  /** The plan of a session's wallet, where a policy has what the verb does by words of its own. */
  readonly underSession?: (
    session: PublicSession,
    input: Input,
    connection: Connection
  ) => Promise<WalletPlanRequest>
}

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

type Rest = Pick<VerbField, "needed" | "otherwise">

const valued =
  (read: (input: Input, name: string) => unknown, over: Partial<Flag> = {}) =>
  (name: string, value: string, member: string, help: string, rest: Rest = {}): VerbField => ({
    flag: { name, value, help, ...over },
    member,
    read: input => read(input, name),
    ...rest
  })

export const textField = valued((input, name) => input.value(name))

export const integerField = valued((input, name) => input.integer(name))

const numbersIn = (input: Input, name: string) =>
  input
    .all(name)
    .map(each =>
      /^[0-9]{1,10}$/.test(each) ? Number(each) : input.fail(`--${name} takes a number, not "${each}".`)
    )

export const integers = valued((input, name) => (input.has(name) ? numbersIn(input, name) : undefined), {
  repeatable: true
})

export const flagged = (name: string, member: string, help: string): VerbField => ({
  flag: { name, help },
  member,
  read: input => (input.has(name) ? true : undefined)
})

export const address = (name: string, member: string, help: string, rest: Rest = {}): VerbField => ({
  flag: { name, value: "<address>", help },
  member,
  read: input => input.address(name),
  ...rest
})

/** The account's own wallet, unless another is named. */
export const walletBy = (name: string, member: string, help: string): VerbField =>
  address(name, member, `${help}; the account's wallet by default.`, { otherwise: ({ account }) => account })

export const token = (member: string, help: string): VerbField => ({
  flag: {
    name: "token",
    value: "<address>",
    help: `${help}; "native", the chain's own currency, by default.`
  },
  member,
  read: input => (input.value("token") === "native" ? NATIVE_TOKEN : input.address("token")),
  otherwise: () => NATIVE_TOKEN
})

const ETHER_DECIMALS = 18

/** In base units; undefined where it is no amount. */
export const amountOf = (given: string, unit: string): string | undefined => {
  if (/^[0-9]+$/.test(given)) return given
  const [, number = ""] = new RegExp(`^([0-9]+(?:\\.[0-9]{1,18})?)${unit}$`).exec(given) ?? []
  return number === "" ? undefined : String(parseUnits(number, ETHER_DECIMALS))
}

export const amountIn = (input: Input, name: string, unit: string): string | undefined => {
  const given = input.value(name)
  return given === undefined
    ? undefined
    : (amountOf(given, unit) ??
        input.fail(`--${name} takes base units in digits, or a number with "${unit}", not "${given}".`))
}

/** `unit` stands for eighteen decimals. */
export const amountField = (
  name: string,
  member: string,
  unit: "ether" | "tokens",
  help: string,
  rest: Rest = { needed: true }
): VerbField => ({
  flag: { name, value: `<amount>`, help: `${help}: base units, or as in 1.5${unit} (eighteen decimals).` },
  member,
  read: input => amountIn(input, name, unit),
  ...rest
})

export const slippage = integerField(
  "slippage",
  "<basis points>",
  "slippageBps",
  "How much less than the quote is taken; 100, one percent, by default."
)

export const memoField = textField("memo", "<text>", "memo", "Said in the event, for everybody to read.")
