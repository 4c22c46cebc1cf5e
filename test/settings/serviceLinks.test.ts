/** Kubernetes tells each pod of the Services beside it by variables, which are named as settings where a Service's name begins with `service`. */
import { assert, describe, it } from "vitest"
import type { Environment } from "../../src/settings/decode.ts"
import { linesOf, settingsOf } from "./support/Decoded.ts"

const POD = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" }

const linksOf = (name: string): Environment => ({
  [`${name}_SERVICE_HOST`]: "10.96.0.7",
  [`${name}_SERVICE_PORT`]: "8787",
  [`${name}_SERVICE_PORT_HTTP`]: "8787",
  [`${name}_PORT`]: "tcp://10.96.0.7:8787",
  [`${name}_PORT_8787_TCP`]: "tcp://10.96.0.7:8787",
  [`${name}_PORT_8787_TCP_PROTO`]: "tcp",
  [`${name}_PORT_8787_TCP_PORT`]: "8787",
  [`${name}_PORT_8787_TCP_ADDR`]: "10.96.0.7"
})

describe("links of Kubernetes' Services", () => {
  it("stop no start, whichever settings they are named like", () => {
    assert.deepStrictEqual(linesOf({ ...POD, ...linksOf("SERVICE_1"), ...linksOf("SERVICE_RPC_1") }), [])
  })

  it("are settings that are not there, outside of Kubernetes", () => {
    const links = linksOf("SERVICE_1")
    assert.lengthOf(linesOf(links), Object.keys(links).length)
  })

  it("hide no setting that is misspelt", () => {
    assert.deepStrictEqual(linesOf({ ...POD, SERVICE_OPS_PROT: "1", SERVICE_OPZ_PORT: "1" }), [
      "SERVICE_OPS_PROT: there is no such setting; perhaps SERVICE_OPS_PORT is meant.",
      "SERVICE_OPZ_PORT: there is no such setting; perhaps SERVICE_OPS_PORT is meant."
    ])
  })

  it("are no setting where they take its very name", () => {
    const links = { ...linksOf("SERVICE"), ...linksOf("SERVICE_OPS"), ...linksOf("SERVICE_CHAIN") }
    const { port, opsPort, chainPort } = settingsOf({ ...POD, ...links })
    assert.deepStrictEqual([port, opsPort, chainPort], [8787, 8788, 8789])
  })

  it("leave alone the port that somebody gives beside them", () => {
    assert.strictEqual(
      settingsOf({ ...POD, ...linksOf("SERVICE_OPS"), SERVICE_OPS_PORT: "9000" }).opsPort,
      9000
    )
  })
})
