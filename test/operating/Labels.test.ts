/** Alert rules, panels and pages ask for no value of a label that the pages on metrics do not know. */
import { assert, describe, it } from "vitest"
import { CHAIN_PROBLEMS } from "../../src/chain/refusals.ts"
import { readAlerts, readDashboard } from "./support/Ops.ts"
import { pageNames, pageText } from "./support/Pages.ts"

const SELECTED = /\b(service_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g
const MATCHED = /\b(outcome|state|transport|worker)(?:=~|!~|!=|=)"([^"]*)"/g

interface Asked {
  readonly metric: string
  readonly value: string
}

const askedIn = (text: string): ReadonlyArray<Asked> =>
  [...text.matchAll(SELECTED)].flatMap(([, metric = "", labels = ""]) =>
    [...labels.matchAll(MATCHED)].flatMap(([, , values = ""]) =>
      values.split("|").map(value => ({ metric, value }))
    )
  )

const PAGE = pageText("metrics.md")
/** Of labels that several metrics have. */
const OF_ALL = PAGE.slice(0, PAGE.indexOf("\n## "))

/** What is said of all metrics and in the row of this one, and the page that the row leads to. */
const toldOf = (metric: string): ReadonlyArray<string> => {
  const row = PAGE.split("\n").find(line => line.startsWith("| `") && line.includes(`\`${metric}\``)) ?? ""
  const [, page] = /\]\(([a-z-]+\.md)\)/.exec(row) ?? []
  const text = [OF_ALL, row, ...(page === undefined ? [] : [pageText(page)])].join("\n")
  return [...text.replaceAll(/```.*?```/gs, "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)
}

const isTold = ({ metric, value }: Asked): boolean =>
  toldOf(metric).some(word => new RegExp(`^(?:${value})$`).test(word))

describe("values of labels", () => {
  it("that rules, panels and pages ask for are told of", async () => {
    const rules = (await readAlerts()).map(({ expr }) => expr)
    const panels = (await readDashboard()).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const asked = [...rules, ...panels, ...pageNames().map(pageText)].flatMap(askedIn)
    assert.isAbove(asked.length, 10)
    assert.deepStrictEqual(
      asked.filter(each => !isTold(each)),
      []
    )
  })

  it("of calls to nodes are what can come of one", () => {
    const failures = CHAIN_PROBLEMS.filter(code => code.startsWith("RPC_") && code !== "RPC_BUDGET")
    assert.includeMembers(
      [...toldOf("service_rpc_calls_total")],
      ["answered", ...failures.map(code => code.replace("RPC_", "").toLowerCase())]
    )
  })

  it("of workers have a row that says what each does", () => {
    const [, page = ""] = /\n((?:\|.*\n)+)/.exec(pageText("workers.md")) ?? []
    const named = [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names = ""]) =>
      names
        .replaceAll("`", "")
        .split(", ")
        .filter(name => name !== "worker")
    )
    assert.sameMembers(named, [
      ...["recovery", "sponsorships", "operations", "quotes", "sessions", "nonces", "archive"],
      ...["session-archive", "manifests", "deployments"]
    ])
  })
})
