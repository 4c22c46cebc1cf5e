/** Alert rules: each fires on its fault and on nothing less, by Prometheus' own tool. */
import { assert, describe, it } from "vitest"
import { PROMTOOL_MILLIS, promtool } from "../support/Promtool.ts"
import { inOps, readAlerts, readAlertTests } from "./support/Ops.ts"

describe("the alert rules", () => {
  it("are as Prometheus wants them", { timeout: PROMTOOL_MILLIS }, async () => {
    const { code, output } = await promtool(["check", "rules", inOps("prometheus", "alerts.yaml")])
    assert.strictEqual(code, 0, output)
    const config = await promtool([
      ...["check", "config", "--syntax-only"],
      inOps("prometheus", "prometheus.yaml")
    ])
    assert.strictEqual(config.code, 0, config.output)
  })

  it("fire each on its fault, and not without", { timeout: PROMTOOL_MILLIS }, async () => {
    const { code, output } = await promtool(["test", "rules", inOps("prometheus", "alerts.test.yaml")])
    assert.strictEqual(code, 0, output)
  })

  it("have each a test that fires them and one that does not", async () => {
    const rules = await readAlerts()
    const { tests } = await readAlertTests()
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
    for (const { alert } of rules) {
      const own = cases.filter(({ alertname }) => alertname === alert)
      const fires = own.map(({ exp_alerts = [] }) => exp_alerts.length > 0)
      assert.sameMembers([...new Set(fires)], [true, false], alert)
    }
    const known = new Set(rules.map(({ alert }) => alert))
    assert.strictEqual(known.size, rules.length)
    assert.deepStrictEqual(
      cases.filter(({ alertname }) => !known.has(alertname)),
      []
    )
  })

  it("say in whole sentences what is the matter, and lead to a page", async () => {
    for (const { alert, annotations } of await readAlerts()) {
      assert.match(alert, /^[A-Z][A-Za-z]+$/)
      for (const text of [annotations.summary, annotations.description])
        assert.match(text, /^\S.*\.$/s, alert)
      assert.match(annotations.runbook_url, /^\{\{ \$externalLabels\.docs \}\}\/[a-z-]+\.md$/, alert)
    }
  })
})
