#!/usr/bin/env node
/** `service`: finds the command, runs it, and prints its answer or what went wrong and what to do next. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline/promises"
import { packageRoot } from "../settings/PackageRoot.ts"
import type { Command, CommandOutcome, CommandTerminal } from "./Command.ts"
import { commands } from "./Commands.ts"
import { explain } from "./Explain.ts"
import { ExitCode, usageFailure } from "./Failure.ts"
import { commandHelp, groupHelp, overview } from "./Help.ts"
import { parseInput } from "./Input.ts"
import { didYouMean, likelyMeant } from "./Meant.ts"
import { noProgress, progressOn } from "./Progress.ts"
import { foundHere } from "./RunningService.ts"

const argv = process.argv.slice(2)
const asJson = argv.includes("--json")

/** A reader that has seen enough, such as head, ends no work that is under way. */
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (fault: NodeJS.ErrnoException) => {
    if (fault.code !== "EPIPE") throw fault
  })

const progress = process.stderr.isTTY && !asJson ? progressOn(process.stderr) : noProgress

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
    progress.clear()
    if (!asJson) process.stderr.write(`${line}\n`)
  },
  ...(process.stdin.isTTY &&
    process.stderr.isTTY &&
    !asJson && { ask: (question: string) => progress.paused(() => ask(question)) })
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

const version = (): string =>
  String(Object(JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"))).version)

/** As it would be typed. */
const meantCommand = (words: ReadonlyArray<string>): string | undefined => {
  const names = commands.map(({ name }) => name)
  const ofTwo = likelyMeant(
    words.slice(0, 2).join(" "),
    names.filter(name => name.includes(" "))
  )
  const meant = ofTwo ?? likelyMeant(words[0] ?? "", [...new Set(names.map(name => name.replace(/ .*/, "")))])
  return meant === undefined ? undefined : `"service ${meant}"`
}

const groupOf = (word: string): ReadonlyArray<Command> =>
  commands.filter(({ name }) => name.startsWith(`${word} `))

const dispatch = async (): Promise<CommandOutcome> => {
  const command = commandGiven()
  if (command !== undefined) return carriedOut(command)
  if (argv.includes("--version")) return { json: version(), text: version() }
  const words = argv.filter(word => !word.startsWith("--"))
  const [first = ""] = words
  const isHelp = first === "help" || argv.includes("--help")
  const group = groupOf((first === "help" ? words[1] : first) ?? "")
  if (isHelp) {
    const text = group.length > 0 ? groupHelp(group) : overview(commands)
    return { json: text, text }
  }
  if (first === "") throw usageFailure("Which command?", overview(commands))
  throw usageFailure(
    `There is no command "${words.slice(0, 2).join(" ")}".`,
    didYouMean(
      meantCommand(words),
      group.length > 0
        ? `There are: ${group.map(({ name }) => name).join(", ")}.`
        : '"service --help" lists them.'
    )
  )
}

const tell = (failure: unknown): ExitCode => {
  const { exitCode, message, advice, problem } = explain(failure, named)
  const error = { exitCode, message, advice, ...(problem && { problem }) }
  process.stderr.write(asJson ? `${JSON.stringify({ error }, null, 2)}\n` : `${message}\n${advice}\n`)
  return exitCode
}

process.exitCode = await dispatch()
  .finally(progress.stop)
  .then(({ json, text, exitCode = ExitCode.ok }) => {
    process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : text}\n`)
    return exitCode
  }, tell)
