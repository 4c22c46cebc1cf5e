/** A real Prometheus of Debian's package, which scrapes what a test starts. */
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installedProgram } from "../../support/Debian.ts"
import { freePort } from "../../support/Ports.ts"
import { until } from "../../support/Until.ts"

export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

export interface Prometheus {
  /** What it answers to an expression now. */
  readonly ask: (expression: string) => Promise<ReadonlyArray<Sample>>
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data?: { readonly result: ReadonlyArray<Sample> }
}

/** Every second, so that a rate is there after some. */
const configOf = (target: string) => `
global: { scrape_interval: 1s, scrape_timeout: 1s }
scrape_configs:
  - job_name: service
    static_configs: [{ targets: ["${target}"] }]
`

/** Scrapes the operators' listener at an address. */
export const startPrometheus = async (opsUrl: string): Promise<Prometheus> => {
  const program = await installedProgram({
    packageName: "prometheus",
    paths: ["/usr/bin/prometheus"],
    whoNeeds: "The tests of the dashboard"
  })
  const directory = await mkdtemp(join(tmpdir(), "prometheus-"))
  const file = join(directory, "prometheus.yaml")
  await writeFile(file, configOf(new URL(opsUrl).host))
  const port = await freePort()
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error"
    ],
    { stdio: ["ignore", "ignore", "inherit"] }
  )
  const ended = new Promise<void>(resolve => child.once("close", () => resolve()))
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false
      ),
    isReady => isReady
  )
  return {
    ask: async expression => {
      const answer = await fetch(`${url}/api/v1/query`, {
        method: "POST",
        body: new URLSearchParams({ query: expression })
      })
      const { status, error, data }: Answer = await answer.json()
      if (status !== "success") throw new Error(`${expression}: ${error}`)
      return data?.result ?? []
    },
    stop: async () => {
      child.kill("SIGKILL")
      await ended
      await rm(directory, { recursive: true, force: true })
    }
  }
}
