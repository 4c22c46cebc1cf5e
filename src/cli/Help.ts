/** The help texts. */
import type { Command, Flag } from "./Command.ts"
import { exitCodeHelp } from "./Failure.ts"
import { globalFlags } from "./Input.ts"
import { KEPT_IN } from "./Pending.ts"
import { facts, indented } from "./Table.ts"

const flagRow = ({ name, value, help, env }: Flag): readonly [string, string] => [
  `--${name}${value === undefined ? "" : ` ${value}`}`,
  env === undefined ? help : `${help} (${env})`
]

const usage = ({ name, takes }: Command): string => (takes === undefined ? name : `${name} ${takes}`)

export const commandHelp = (command: Command): string =>
  [
    `service ${usage(command)}`,
    "",
    command.summary,
    ...(command.details === undefined ? [] : ["", command.details]),
    ...(command.keeps === undefined ? [] : ["", KEPT_IN]),
    ...(command.example === undefined ? [] : ["", "Example:", indented(command.example)]),
    "",
    "Flags:",
    indented(facts([...command.flags, ...globalFlags].map(flagRow)))
  ].join("\n")

const listed = (commands: ReadonlyArray<Command>): string =>
  indented(facts(commands.map(command => [usage(command), command.summary])))

/** Of commands whose names begin alike. */
export const groupHelp = (commands: ReadonlyArray<Command>): string =>
  ["Commands:", listed(commands), "", '"service <command> --help" shows a command\'s flags.'].join("\n")

export const overview = (commands: ReadonlyArray<Command>): string =>
  [
    "service <command> [arguments] [flags]",
    "",
    "Talks to a signed-request service: accounts, bots, contract reads, transaction plans and their relay, wallets of several owners and the sessions of bots.",
    "",
    "Commands:",
    listed(commands),
    "",
    'Every command takes --json and --help; "service <command> --help" shows its flags, "service --version" the version.',
    "",
    "Exit codes:",
    indented(facts(exitCodeHelp.map(([code, meaning]) => [String(code), meaning])))
  ].join("\n")
