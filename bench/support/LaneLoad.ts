/** Runs the lanes in a process of their own. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { writeRequests } from "./Wire.ts"

const run = promisify(execFile)

export interface LaneReport {
  readonly answered: number
  /** Answers that are no problems. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly codes: Readonly<Record<string, number>>
}

export interface LaneOptions {
  readonly port: number
  readonly lanes: number
  readonly seconds: number
  readonly rate?: number
}

export interface LaneAnswer {
  readonly index: number
  readonly status: number
  readonly body: string
}

const started = async (requests: ReadonlyArray<Buffer>, options: LaneOptions & { answers?: string }) => {
  const directory = mkdtempSync(join(tmpdir(), "bench-lanes-"))
  const file = join(directory, "requests.bin")
  writeRequests(file, requests)
  const command = [join("scripts", "run.mjs"), join("bench", "support", "Lanes.ts")]
  try {
    const { stdout } = await run("node", [...command, JSON.stringify({ ...options, file })])
    return stdout
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export const lanes = async (requests: ReadonlyArray<Buffer>, options: LaneOptions): Promise<LaneReport> =>
  JSON.parse(await started(requests, options))

/** The answers in the order of their requests. */
export const lanesWithAnswers = async (
  requests: ReadonlyArray<Buffer>,
  options: LaneOptions
): Promise<ReadonlyArray<LaneAnswer>> => {
  const directory = mkdtempSync(join(tmpdir(), "bench-answers-"))
  const answers = join(directory, "answers.jsonl")
  try {
    await started(requests, { ...options, answers })
    return readFileSync(answers, "utf8")
      .split("\n")
      .map(line => JSON.parse(line))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
