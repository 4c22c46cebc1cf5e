/** How a child process is tied to the life of this one, even when this one is killed. */
import { spawnSync } from "node:child_process"

export type StopSignal = "SIGINT" | "SIGTERM"

export interface Guarded {
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** The shell's guard sees the end of its standard input when this process is gone or closes it. */
  readonly endsWithInput: boolean
}

const SHELL_GUARD = `signal="$1"; shift
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read -r _ <&3; kill -s "$signal" "$child"; } 2>/dev/null &
guard=$!
exec 3<&-
wait "$child"; status=$?
kill -9 "$guard" 2>/dev/null
exit "$status"`

const bare = (signal: StopSignal): string => signal.slice("SIG".length)

/** The kernel signals the child as soon as the thread that started it is gone. */
const kernelGuard = (signal: StopSignal, command: ReadonlyArray<string>): Guarded => ({
  program: "setpriv",
  args: ["--pdeathsig", bare(signal), "--", ...command],
  endsWithInput: false
})

/** For systems whose kernel or tools cannot do that. */
export const shellGuard = (signal: StopSignal, command: ReadonlyArray<string>): Guarded => ({
  program: "/bin/sh",
  args: ["-c", SHELL_GUARD, "guard", bare(signal), ...command],
  endsWithInput: true
})

const kernelCan = (): boolean =>
  process.platform === "linux" && spawnSync("setpriv", ["--pdeathsig", "INT", "--", "true"]).status === 0

export type GuardCommand = typeof kernelGuard

export const systemGuard = (): GuardCommand => (kernelCan() ? kernelGuard : shellGuard)
