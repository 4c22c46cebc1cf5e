import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { assert, describe, it, onTestFinished } from "vitest"
import { canonicalAbiText, sha256 } from "../../src/catalog/Abi.ts"
import type { AddedContract } from "../../src/catalog/AddedContracts.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { contractNames } from "../../src/protocol/ContractNames.ts"

const ADDRESS = "0x00000000000000000000000000000000000000aa"
const receipt = { transactionHash: `0x${"11".repeat(32)}`, blockNumber: 7 } as const

const abi = [
  {
    type: "function",
    name: "tipsOf",
    inputs: [{ name: "projectId", type: "uint256" }],
    outputs: [{ name: "", type: "uint256" }],
    stateMutability: "view"
  }
]

const jar: AddedContract = {
  id: "jar:src/Jar.sol:Jar",
  version: "1.0.0",
  abi,
  deployments: [{ chainId: 1, address: ADDRESS, receipt }]
}

const catalogBeside = (overlays: ReadonlyArray<string>, contracts: ReadonlyArray<AddedContract>) =>
  Effect.runPromise(
    Effect.either(
      Effect.provide(Catalog, Catalog.layer({ directory: "schema/protocol", overlays, contracts }))
    )
  )

const catalogWith = (...contracts: ReadonlyArray<AddedContract>) => catalogBeside([], contracts)

const refusal = async (...contracts: ReadonlyArray<AddedContract>) => {
  const catalog = await catalogWith(...contracts)
  return catalog._tag === "Left" ? catalog.left.detail : undefined
}

describe("a contract that a team adds", () => {
  it("stands in the catalog with its interface and its deployments", async () => {
    const catalog = await catalogWith(jar)
    if (catalog._tag === "Left") return assert.fail(catalog.left.detail)
    const { name, executable, methods, deployments } = await Effect.runPromise(catalog.right.contract(jar.id))
    assert.deepStrictEqual(
      [name, executable, methods.map(({ signature }) => signature)],
      ["Jar", true, ["tipsOf(uint256)"]]
    )
    const [instance] = deployments.find(({ chainId }) => chainId === 1)?.instances ?? []
    assert.deepInclude(instance, { receipt, retired: false, runtimeCodeHash: null })
  })

  it("stands once in use on a chain, whichever of its deployments is told first", async () => {
    const [deployment = assert.fail("there is none")] = jar.deployments
    const former = { ...deployment, address: "0x00000000000000000000000000000000000000bb" }
    const twice = await refusal({ ...jar, deployments: [former, deployment] })
    assert.strictEqual(
      twice,
      "The contract jar:src/Jar.sol:Jar is refused: it stands twice in use on chain 1."
    )
    const catalog = await catalogWith({ ...jar, deployments: [{ ...former, retired: true }, deployment] })
    if (catalog._tag === "Left") return assert.fail(catalog.left.detail)
    assert.deepStrictEqual(
      catalog.right.deployments(1, jar.id).map(({ address, retired }) => [address.toLowerCase(), retired]),
      [
        [ADDRESS, false],
        [former.address, true]
      ]
    )
    const elsewhere = { ...former, chainId: 10 }
    assert.isUndefined(await refusal({ ...jar, deployments: [elsewhere, deployment] }))
  })

  it("names the content of the catalog anew", async () => {
    const [without, with_] = [await catalogWith(), await catalogWith(jar)]
    assert.notStrictEqual(
      without._tag === "Right" && without.right.version,
      with_._tag === "Right" && with_.right.version
    )
  })

  it("goes by the hash of its ABI, in whatever order its entries are", async () => {
    const [entry] = abi
    const others = ["zero", "able"].map(name => ({ ...entry, name }))
    const catalog = await catalogWith({ ...jar, abi: [...others, ...abi] })
    if (catalog._tag === "Left") return assert.fail(catalog.left.detail)
    const { abiHash } = await Effect.runPromise(catalog.right.contract(jar.id))
    assert.strictEqual(abiHash, sha256(canonicalAbiText([...abi, ...others])))
  })

  it("has what its ABI has twice once, and several functions of one name by their signatures alone", async () => {
    const interfaceIn = async (given: ReadonlyArray<unknown>) => {
      const catalog = await catalogWith({ ...jar, abi: given })
      if (catalog._tag === "Left") return assert.fail(catalog.left.detail)
      const { interfaceOf } = await Effect.runPromise(contractNames(catalog.right))
      return (name: string) => interfaceOf(1, "Jar", ADDRESS, name).entry.inputs.map(({ type }) => type)
    }
    const twice = await interfaceIn([...abi, ...abi])
    for (const name of ["tipsOf", "tipsOf(uint256)"]) assert.deepStrictEqual(twice(name), ["uint256"])
    const other = abi.map(entry => ({ ...entry, inputs: [{ name: "of", type: "address" }] }))
    const overloaded = await interfaceIn([...abi, ...other, ...abi])
    assert.throws(() => overloaded("tipsOf"), /several of this name/)
    assert.deepStrictEqual(overloaded("tipsOf(address)"), ["address"])
    assert.deepStrictEqual(overloaded("tipsOf(uint256)"), ["uint256"])
  })

  it("is shown on a chain that the protocol is not on", async () => {
    const catalog = await catalogWith({ ...jar, deployments: [{ chainId: 137, address: ADDRESS }] })
    if (catalog._tag === "Left") return assert.fail(catalog.left.detail)
    const { deployments } = await Effect.runPromise(catalog.right.contract(jar.id))
    const there = deployments.find(({ chainId }) => chainId === 137)
    assert.deepStrictEqual([there?.status, there?.instances.length], ["published", 1])
  })

  it("is refused where a local chain has another contract, and where it stands itself", async () => {
    const directory = mkdtempSync(join(tmpdir(), "overlay-"))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const overlay = join(directory, "manifest.json")
    const row = { contractId: "@bananapus/core-v6:src/JBProjects.sol:JBProjects", alias: "JBProjects" }
    const deployments = [{ ...row, address: ADDRESS, receipt, runtimeCodeHash: null }]
    writeFileSync(overlay, JSON.stringify({ chainId: 31_337, deployments }))
    const [deployment = assert.fail("there is none")] = jar.deployments
    const local = { ...jar, deployments: [{ ...deployment, chainId: 31_337 }] }
    const beside = await catalogBeside([overlay], [local])
    assert.match(
      beside._tag === "Left" ? (beside.left.detail ?? "") : "",
      /another contract at 0x.* of chain 31337/
    )
    const twice = await refusal({ ...jar, deployments: [deployment, deployment] })
    assert.match(twice ?? "", /^The contract jar:src\/Jar.sol:Jar is refused: it stands twice at 0x/)
  })

  it("is refused with a line for each fault", async () => {
    const told = await refusal(
      { ...jar, id: "Jar" },
      { ...jar, id: "jar:src/A.sol:JBProjects" },
      { ...jar, id: "jar:src/B.sol:JBTokens" }
    )
    assert.lengthOf((told ?? "").split("\n"), 3)
  })

  it("is refused where its name or its address is taken, and where it is told wrongly", async () => {
    assert.match(
      (await refusal({ ...jar, id: "jar:src/A.sol:JBProjects" })) ?? "",
      /has a contract named JBProjects/
    )
    assert.match((await refusal(jar, jar)) ?? "", /has a contract named Jar already/)
    assert.match(
      (await refusal(jar, { ...jar, id: "jar:src/B.sol:Jug" })) ?? "",
      /has another contract at 0x/
    )
    assert.match(
      (await refusal({ ...jar, id: "Jar" })) ?? "",
      /not told rightly at id: <package>:<source path>:<name>/
    )
    assert.match((await refusal({ ...jar, abi: "none" })) ?? "", /not told rightly at abi/)
  })
})
