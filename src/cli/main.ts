#!/usr/bin/env node
/** `service`: finds the command, runs it, and prints its answer or what went wrong and what to do next. */
import { createInterface } from "node:readline/promises"
import { packageVersion } from "../settings/PackageRoot.ts"
import type { Command, CommandOutcome, CommandTerminal } from "./Command.ts"
import { commands } from "./Commands.ts"
import { explain } from "./Explain.ts"
import { ExitCode, usageFailure } from "./Failure.ts"
import { commandHelp, groupHelp, overview } from "./Help.ts"
import { globalFlags, parseInput } from "./Input.ts"
import { didYouMean, likelyMeant } from "./Meant.ts"
import { noProgress, progressOn } from "./Progress.ts"
import { foundHere } from "./RunningService.ts"

const argv = process.argv.slice(2)
const asJson = argv.includes("--json")

const isGlobal = (word: string): boolean => globalFlags.some(({ name }) => word === `--${name}`)

/** Flags of every command may stand among its words. */
const flagsAt = argv.findIndex(word => word.startsWith("-") && !isGlobal(word))
const head = flagsAt < 0 ? argv : argv.slice(0, flagsAt)
const globals = head.filter(isGlobal)
const line = [...head.filter(word => !isGlobal(word)), ...argv.slice(head.length)]

/** A reader that has seen enough, such as head, and a disk that is full end no work that is under way. */
process.stderr.on("error", () => {})
process.stdout.on("error", (fault: NodeJS.ErrnoException) => {
  if (fault.code === "EPIPE") return
  process.stderr.write(`What was done could not be printed (${fault.code ?? fault.message}).\n`)
  process.once("exit", () => {
    process.exitCode = ExitCode.internal
  })
})

const progress = process.stderr.isTTY && !asJson ? progressOn(process.stderr) : noProgress

const ask = async (question: string): Promise<string | undefined> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } catch (fault) {
    if (fault instanceof Error && fault.name === "AbortError") return undefined
    throw fault
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
const commandIn = (given: ReadonlyArray<string>): Command | undefined =>
  [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => name.split(" ").every((word, index) => given[index] === word))

const helpOf = (command: Command): CommandOutcome => {
  const text = commandHelp(command)
  return { json: text, text }
}

/** The service's URL, where a variable names it. */
let named: string | undefined

const carriedOut = async (command: Command): Promise<CommandOutcome> => {
  const after = line.slice(command.name.split(" ").length)
  const given = parseInput(command, [...globals, ...after], terminal.env)
  if (given.has("help")) return helpOf(command)
  if (given.variable("url") !== undefined) named = given.value("url")
  return command.run(given.with(await foundHere(command, given, terminal)), terminal)
}

/** As it would be typed. */
const meantCommand = (words: ReadonlyArray<string>): string | undefined => {
  const names = commands.map(({ name }) => name)
  const ofTwo = likelyMeant(
    words.slice(0, 2).join(" "),
    names.filter(name => name.includes(" "))
  )
  const firsts = new Set(names.map(name => name.replace(/ .*/, "")))
  const [first = ""] = words
  const meant = ofTwo ?? (firsts.has(first) ? undefined : likelyMeant(first, [...firsts]))
  return meant === undefined ? undefined : `"service ${meant}"`
}

const groupOf = (word: string): ReadonlyArray<Command> =>
  commands.filter(({ name }) => name.startsWith(`${word} `))

const dispatch = async (): Promise<CommandOutcome> => {
  const command = commandIn(line)
  if (command !== undefined) return carriedOut(command)
  const explained = line[0] === "help" ? commandIn(line.slice(1)) : undefined
  if (explained !== undefined) return helpOf(explained)
  if (argv.includes("--version")) return { json: packageVersion(), text: packageVersion() }
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
