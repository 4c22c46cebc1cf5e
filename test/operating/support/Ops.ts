/** What `ops/` holds, read as its programs read it. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Schema } from "effect"
import { parse } from "yaml"
import { packageRoot } from "../../../src/settings/PackageRoot.ts"

export const inOps = (...path: ReadonlyArray<string>): string => join(packageRoot, "ops", ...path)

export const readYaml = async <A, I>(schema: Schema.Schema<A, I>, ...path: ReadonlyArray<string>) =>
  Schema.decodeUnknownSync(schema)(parse(await readFile(inOps(...path), "utf8")))

const Rule = Schema.Struct({
  alert: Schema.String,
  expr: Schema.String,
  for: Schema.optional(Schema.String),
  labels: Schema.Struct({ severity: Schema.Literal("warning", "critical") }),
  annotations: Schema.Struct({
    summary: Schema.String,
    description: Schema.String,
    runbook_url: Schema.String
  })
})

const Rules = Schema.Struct({
  groups: Schema.Array(Schema.Struct({ name: Schema.String, rules: Schema.Array(Rule) }))
})

export const readAlerts = async () =>
  (await readYaml(Rules, "prometheus", "alerts.yaml")).groups.flatMap(({ rules }) => rules)

/** The name of the page that an alert sends to. */
export const pageOf = ({ annotations }: typeof Rule.Type): string =>
  annotations.runbook_url.replace("{{ $externalLabels.docs }}/", "")

const AlertTests = Schema.Struct({
  rule_files: Schema.Array(Schema.String),
  tests: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      alert_rule_test: Schema.optionalWith(
        Schema.Array(
          Schema.Struct({
            alertname: Schema.String,
            exp_alerts: Schema.optional(Schema.Array(Schema.Unknown))
          })
        ),
        { default: () => [] }
      )
    })
  )
})

export const readAlertTests = () => readYaml(AlertTests, "prometheus", "alerts.test.yaml")

const Dashboard = Schema.Struct({
  panels: Schema.Array(
    Schema.Struct({
      title: Schema.String,
      type: Schema.String,
      gridPos: Schema.Struct({ x: Schema.Int, y: Schema.Int, w: Schema.Int, h: Schema.Int }),
      datasource: Schema.optional(Schema.Struct({ uid: Schema.String })),
      targets: Schema.optionalWith(Schema.Array(Schema.Struct({ expr: Schema.String })), {
        default: () => []
      })
    })
  ),
  templating: Schema.Struct({
    list: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        allValue: Schema.String,
        query: Schema.Struct({ query: Schema.String })
      })
    )
  })
})

export const readDashboard = async () =>
  Schema.decodeUnknownSync(Dashboard)(
    JSON.parse(await readFile(inOps("grafana", "dashboards", "service.json"), "utf8"))
  )
