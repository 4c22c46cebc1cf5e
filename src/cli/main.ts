#!/usr/bin/env node
/** `service`: finds the command, runs it, and prints its answer or what went wrong and what to do next. */
import { createInterface } from "node:readline/promises"
import type { Command, CommandOutcome, CommandTerminal } from "./Command.ts"
import { commands } from "./Commands.ts"
import { explain } from "./Explain.ts"
import { ExitCode, usageFailure } from "./Failure.ts"
import { commandHelp, overview } from "./Help.ts"
import { parseInput } from "./Input.ts"
import { foundHere } from "./RunningService.ts"

const argv = process.argv.slice(2)
const asJson = argv.includes("--json")

/** A reader that has seen enough, such as head, ends no work that is under way. */
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (fault: NodeJS.ErrnoException) => {
    if (fault.code !== "EPIPE") throw fault
  })

const ask = async (question: string): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

/** With --json, standard error has nothing but the error, so that programs can read it; nobody is asked either. */
const terminal: CommandTerminal = {
  env: process.env,
  note: line => {
    if (!asJson) process.stderr.write(`${line}\n`)
  },
  ...(process.stdin.isTTY && process.stderr.isTTY && !asJson && { ask })
}

/** The command with the most words that the line begins with. */
const commandGiven = (): Command | undefined =>
  [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => name.split(" ").every((word, index) => argv[index] === word))

/** The service's URL, where a variable names it. */
let named: string | undefined

const carriedOut = async (command: Command): Promise<CommandOutcome> => {
  const given = parseInput(command, argv.slice(command.name.split(" ").length), terminal.env)
  if (given.has("help")) return { json: commandHelp(command), text: commandHelp(command) }
  if (given.variable("url") !== undefined) named = given.value("url")
  return command.run(given.with(await foundHere(command, given, terminal)), terminal)
}

const dispatch = async (): Promise<CommandOutcome> => {
  const command = commandGiven()
  if (command !== undefined) return carriedOut(command)
  const words = argv.filter(word => !word.startsWith("--"))
  const [first = ""] = words
  if (first === "help" || argv.includes("--help"))
    return { json: overview(commands), text: overview(commands) }
  if (first === "") throw usageFailure("Which command?", overview(commands))
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  throw usageFailure(
    `There is no command "${words.slice(0, 2).join(" ")}".`,
    group.length > 0 ? `There are: ${group.join(", ")}.` : '"service --help" lists them.'
  )
}

const tell = (failure: unknown): ExitCode => {
  const { exitCode, message, advice, problem } = explain(failure, named)
  const error = { exitCode, message, advice, ...(problem && { problem }) }
  process.stderr.write(asJson ? `${JSON.stringify({ error }, null, 2)}\n` : `${message}\n${advice}\n`)
  return exitCode
}

process.exitCode = await dispatch().then(({ json, text, exitCode = ExitCode.ok }) => {
  process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : text}\n`)
  return exitCode
}, tell)
