/** A recording proxy that outlives what it records: its own process, its records in an append-only file. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { builtProgram } from "./BuiltProgram.ts"
import { CONTROL_PATH, type ProxyFault, type ProxyRecord } from "./RecordingProxy.ts"

export interface RecordingProxyProcess {
  readonly url: string
  readonly pid: number
  readonly fault: (fault: ProxyFault) => Promise<void>
  readonly clearFaults: () => Promise<void>
  readonly records: () => ReadonlyArray<ProxyRecord>
  readonly stop: () => Promise<void>
}

const SETPRIV = "/usr/bin/setpriv"

const launch = (args: ReadonlyArray<string>) => {
  const command = [process.execPath, ...args]
  const [program = "", ...rest] = existsSync(SETPRIV) ? [SETPRIV, "--pdeathsig", "KILL", ...command] : command
  return spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] })
}

const parseLines = (file: string): ReadonlyArray<ProxyRecord> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(line => line !== "")
    .map((line): ProxyRecord => JSON.parse(line))

export const spawnRecordingProxy = async (upstream: string, file: string): Promise<RecordingProxyProcess> => {
  const child = launch([await builtProgram("test/support/recordingProxyMain.ts"), upstream, file])
  const ended = new Promise<string>(resolve => child.once("exit", () => resolve("")))
  const printed = new Promise<string>(resolve => createInterface(child.stdout).once("line", resolve))
  const url = await Promise.race([printed, ended])
  if (url === "") throw new Error("the recording proxy did not start")
  const control = async (fault: ProxyFault | null) => {
    const answer = await fetch(`${url}${CONTROL_PATH}`, { method: "POST", body: JSON.stringify(fault) })
    if (!answer.ok) throw new Error("the recording proxy refused the fault")
  }
  const stop = async () => {
    child.kill("SIGKILL")
    await ended
  }
  return {
    url,
    pid: child.pid ?? 0,
    fault: control,
    clearFaults: () => control(null),
    records: () => parseLines(file),
    stop
  }
}
