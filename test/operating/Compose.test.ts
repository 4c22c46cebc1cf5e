/** What `ops/compose.yaml` names is there, and its parts name each other by the names and ports that they have. No container is started. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { BlockList } from "node:net"
import { Either, Schema } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { decodeSettings } from "../../src/settings/decode.ts"
import { inOps, readYaml } from "./support/Ops.ts"

const Texts = Schema.Record({ key: Schema.String, value: Schema.String })
const list = Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })

const Compose = Schema.Struct({
  services: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      image: Schema.String,
      build: Schema.optional(Schema.Struct({ context: Schema.String })),
      environment: Schema.optionalWith(Texts, { default: () => ({}) }),
      ports: list,
      volumes: list,
      secrets: list,
      command: list,
      stop_grace_period: Schema.optional(Schema.String),
      logging: Schema.Struct({
        driver: Schema.Literal("json-file"),
        options: Schema.Struct({ "max-size": Schema.String, "max-file": Schema.String })
      }),
      networks: Schema.optional(Schema.Struct({ default: Schema.Struct({ ipv4_address: Schema.String }) })),
      depends_on: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    })
  }),
  secrets: Schema.Record({ key: Schema.String, value: Schema.Struct({ environment: Schema.String }) }),
  networks: Schema.Struct({
    default: Schema.Struct({
      ipam: Schema.Struct({
        config: Schema.Array(Schema.Struct({ subnet: Schema.String, ip_range: Schema.String }))
      })
    })
  }),
  volumes: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

const Prometheus = Schema.Struct({
  rule_files: Schema.Array(Schema.String),
  scrape_configs: Schema.Array(
    Schema.Struct({
      job_name: Schema.String,
      authorization: Schema.Struct({ credentials_file: Schema.String }),
      static_configs: Schema.Array(Schema.Struct({ targets: Schema.Array(Schema.String) }))
    })
  )
})

const DataSources = Schema.Struct({
  datasources: Schema.Array(Schema.Struct({ uid: Schema.String, url: Schema.String }))
})
const Providers = Schema.Struct({
  providers: Schema.Array(Schema.Struct({ options: Schema.Struct({ path: Schema.String }) }))
})
const Collector = Schema.Struct({
  receivers: Schema.Struct({
    otlp: Schema.Struct({
      protocols: Schema.Struct({ http: Schema.Struct({ endpoint: Schema.String }) })
    })
  })
})

const FILLED: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: "a-password",
  SERVICE_REVIEW_SECRET: "a-secret-of-thirty-two-bytes-and-more",
  SERVICE_METRICS_TOKEN: "a-token-of-thirty-two-bytes-and-more",
  GRAFANA_PASSWORD: "another-password",
  SERVICE_PUBLIC_URL: "https://service.example",
  SERVICE_RPC_8453: "https://base.example"
}

/** That a replica takes, and of each buffer what HAProxy keeps for what it adds. */
const HEAD_BYTES = 32 * 1024
const ADDED_BYTES = 1_024

/** The longest deadline that can be set, and half a second. */
const LONGEST_READY_MS = 4_500

const VARIABLE = /\$\{(\w+):\?see ops\/env\.example\}/g
const REPLICAS = ["service-1", "service-2", "service-3"]

let text: string
let compose: typeof Compose.Type

beforeAll(async () => {
  text = await readFile(inOps("compose.yaml"), "utf8")
  compose = await readYaml(Compose, "compose.yaml")
})

const service = (name: string) => compose.services[name] ?? assert.fail(`no service ${name}`)

const settingsOf = (name: string) => {
  const filled = Object.entries(service(name).environment).map(([variable, value]) => [
    variable,
    value.replaceAll(VARIABLE, (_, asked) => FILLED[asked] ?? assert.fail(asked))
  ])
  return Either.getOrThrow(decodeSettings(Object.fromEntries(filled)))
}

describe("ops/compose.yaml", () => {
  it("asks for nothing that ops/env.example does not list, and for all of it", async () => {
    const listed = [...(await readFile(inOps("env.example"), "utf8")).matchAll(/^(\w+)=/gm)].map(
      ([, name]) => name
    )
    const asked = new Set([...text.matchAll(VARIABLE)].map(([, name]) => name))
    assert.sameMembers([...asked], listed)
    assert.sameMembers(listed, Object.keys(FILLED))
    assert.strictEqual([...text.matchAll(/\$\{/g)].length, [...text.matchAll(VARIABLE)].length)
  })

  it("mounts files that are there and volumes that are declared, and names each image's version", () => {
    const used = Object.values(compose.services).flatMap(({ volumes }) => volumes)
    const isPath = (volume: string) => volume.startsWith("./")
    for (const volume of used.filter(isPath))
      assert.isTrue(existsSync(inOps(volume.split(":")[0] ?? "")), volume)
    const named = used.filter(volume => !isPath(volume)).map(volume => volume.split(":")[0])
    assert.sameMembers(named, Object.keys(compose.volumes))
    for (const [name, { image, build }] of Object.entries(compose.services)) {
      if (build === undefined) assert.match(image, /:v?\d+/, name)
      else assert.isTrue(existsSync(inOps(build.context, "Dockerfile")), name)
    }
  })

  it("has a role of its own administer the database, and the service's made in a new one", () => {
    const { environment, volumes } = service("database")
    assert.notProperty(environment, "POSTGRES_USER")
    assert.include(volumes, "./database/service.sql:/docker-entrypoint-initdb.d/service.sql:ro")
  })

  it("is administered in the service's own database by the command that the guide gives", async () => {
    const made = await readFile(inOps("database", "service.sql"), "utf8")
    const [, database = assert.fail("no database is made")] = /^CREATE DATABASE (\w+)/m.exec(made) ?? []
    assert.include(await readFile(inOps("README.md"), "utf8"), `exec database psql -U postgres ${database}\``)
  })

  it("starts three replicas alike, by settings that the service has", () => {
    const replicas = Object.keys(compose.services).filter(name => name.startsWith("service-"))
    assert.deepStrictEqual(replicas, REPLICAS)
    for (const name of REPLICAS) {
      assert.deepStrictEqual(service(name), service("service-1"))
      const settings = settingsOf(name)
      assert.deepStrictEqual(
        settings.chains.map(({ chainId }) => chainId),
        [8453]
      )
      assert.deepStrictEqual(settings.opsNames, REPLICAS)
      assert.isAbove(Number.parseInt(service(name).stop_grace_period ?? "", 10), 25)
    }
  })

  it("has the balancer, which alone is believed, ask the replicas whether they are ready", async () => {
    const { port, opsPort } = settingsOf("service-1")
    const { ipv4_address: address = "" } = service("balancer").networks?.default ?? {}
    const [{ subnet = "", ip_range = "" } = {}] = compose.networks.default.ipam.config
    const isIn = (range: string, which: string): boolean => {
      const [network = "", bits] = range.split("/")
      const here = new BlockList()
      here.addSubnet(network, Number(bits))
      return here.check(which)
    }
    assert.isTrue(isIn(subnet, address))
    assert.isTrue(isIn(subnet, ip_range.split("/")[0] ?? ""))
    /** Others, which start at the same time, are given theirs. */
    assert.isFalse(isIn(ip_range, address))
    assert.strictEqual(service("service-1").environment.SERVICE_TRUSTED_PROXIES, address)
    const balancing = await readFile(inOps("balancer", "haproxy.cfg"), "utf8")
    const servers = [...balancing.matchAll(/^ +server (\S+) (\S+)$/gm)].map(([, name, place]) => [
      name,
      place
    ])
    assert.deepStrictEqual(
      servers,
      REPLICAS.map(name => [name, `${name}:${port}`])
    )
    assert.match(balancing, new RegExp(`^ +default-server check port ${opsPort} `, "m"))
    const [, patience = "0"] = /^ +timeout check (\d+)s$/m.exec(balancing) ?? []
    assert.isAbove(Number(patience) * 1_000, LONGEST_READY_MS)
    assert.match(balancing, new RegExp(`^ +bind :${port}$`, "m"))
    assert.deepStrictEqual(service("balancer").ports, [`${port}:${port}`])
  })

  it("has the balancer take heads as long as a replica's", async () => {
    const balancing = await readFile(inOps("balancer", "haproxy.cfg"), "utf8")
    const [, bytes = "16384"] = /^ +tune\.bufsize (\d+)$/m.exec(balancing) ?? []
    assert.isAtLeast(Number(bytes) - ADDED_BYTES, HEAD_BYTES)
  })

  it("has the balancer give a caller all parts of a page from one replica", async () => {
    const balancing = await readFile(inOps("balancer", "haproxy.cfg"), "utf8")
    const [, paths = ""] = /^ +use_backend pages if \{ path_beg (.+) \}$/m.exec(balancing) ?? []
    assert.sameMembers(paths.split(" "), ["/console", "/docs", "/wallet"])
    const [, pages = ""] = balancing.split(/^backend pages$/m)
    assert.match(pages, /^ +balance source$/m)
    assert.match(pages, /^ +hash-type consistent$/m)
    const { port } = settingsOf("service-1")
    assert.deepStrictEqual(
      [...pages.matchAll(/^ +server (.+)$/gm)].map(([, server]) => server),
      REPLICAS.map(name => `${name} ${name}:${port} track replicas/${name}`)
    )
  })

  it("has Prometheus scrape each replica by a name that it answers to, with its token", async () => {
    const { opsPort } = settingsOf("service-1")
    const { scrape_configs, rule_files } = await readYaml(Prometheus, "prometheus", "prometheus.yaml")
    const [scrape = assert.fail("nothing is scraped")] = scrape_configs
    const [{ targets = [] } = {}] = scrape.static_configs
    assert.deepStrictEqual(
      targets,
      REPLICAS.map(name => `${name}:${opsPort}`)
    )
    const [secret = ""] = service("prometheus").secrets
    assert.strictEqual(scrape.authorization.credentials_file, `/run/secrets/${secret}`)
    assert.strictEqual(compose.secrets[secret]?.environment, "SERVICE_METRICS_TOKEN")
    for (const file of rule_files) assert.isTrue(existsSync(inOps("prometheus", file)), file)
    assert.include(service("prometheus").command, "--config.file=/etc/prometheus/prometheus.yaml")
    assert.include(service("prometheus").volumes, "./prometheus:/etc/prometheus:ro")
  })

  it("has Grafana find Prometheus and its dashboards, and the replicas the collector", async () => {
    const { datasources } = await readYaml(
      DataSources,
      ...["grafana", "provisioning", "datasources", "prometheus.yaml"]
    )
    assert.deepStrictEqual(datasources, [{ uid: "prometheus", url: "http://prometheus:9090" }])
    assert.include(service("prometheus").ports, "127.0.0.1:9090:9090")
    const { providers } = await readYaml(
      Providers,
      ...["grafana", "provisioning", "dashboards", "service.yaml"]
    )
    for (const { options } of providers)
      assert.include(service("grafana").volumes, `./grafana/dashboards:${options.path}:ro`)
    const home = service("grafana").environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? ""
    assert.isTrue(existsSync(inOps(home.replace("/etc/dashboards", "grafana/dashboards"))), home)
    const { receivers } = await readYaml(Collector, "collector", "collector.yaml")
    const [, port] = receivers.otlp.protocols.http.endpoint.split(":")
    assert.strictEqual(service("service-1").environment.SERVICE_OTLP_ENDPOINT, `http://collector:${port}`)
    assert.isDefined(service("collector"))
  })
})
