/** Sessions as they are asked for, by manifests that review as many contracts as a policy may name. */
import { Either } from "effect"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import type { AskedSession } from "../../../src/sessions/AskedSession.ts"
import { compileActions } from "../../../src/sessions/CompileActions.ts"
import type { SessionGround } from "../../../src/sessions/SessionGround.ts"
import type { SessionActionInput } from "../../../src/sessions/SessionInput.ts"
import { type ManifestTerms, revised } from "../../../src/smartaccounts/Manifest.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { hash, PREPARED, START } from "./StoredSessions.ts"

const WALLET = PREPARED.wallet
export const NATIVE = "0x000000000000000000000000000000000000EEEe"
const MOST = 16

const addressAt = (index: number) => checksummed(`0x${(0x1000 + index).toString(16).padStart(40, "0")}`)

const controller = (index: number) => addressAt(0x100 + index)

export const manifestWith = (reviewed: ManifestTerms["reviewed"]) => {
  const { revision: _, ...terms } = localManifest()
  return revised({ ...terms, reviewed })
}

export const asset = { symbol: "ETH", decimals: 18, assetIdentity: "native", reviewId: "test" }

const targetsAt = (kind: string, at: typeof addressAt) =>
  Array.from({ length: MOST }, (_, index) => ({
    kind,
    address: at(index),
    runtimeCodeHash: hash(index + 1),
    reviewId: "test"
  }))

const manifest = manifestWith({
  targets: [...targetsAt("v6-terminal", addressAt), ...targetsAt("v6-controller", controller)],
  assets: [{ ...asset, address: NATIVE }]
})

export const manifestsOfMany = { own: manifest, all: [manifest] }
const allocationsOfMany = [{ id: "ether", chainId: 31_337, asset: NATIVE, limit: "1600" }] as const

export const payments = (count: number): ReadonlyArray<SessionActionInput> =>
  Array.from({ length: count }, (_, index) => ({
    kind: "v6-pay",
    allocationId: "ether",
    beneficiary: addressAt(99),
    perCallLimit: "10",
    totalLimit: "100",
    terminal: addressAt(index),
    projectId: "1",
    minReturnedTokens: "0"
  }))

export const renamings = (count: number): ReadonlyArray<SessionActionInput> =>
  Array.from({ length: count }, (_, index) => ({
    kind: "v6-project-uri",
    controller: controller(index),
    projectId: "1"
  }))

export const askedFor = (actions: ReadonlyArray<SessionActionInput>): AskedSession => {
  const input = { ...PREPARED.asked, actions }
  const ground = { manifests: manifestsOfMany, wallet: WALLET, allocations: allocationsOfMany }
  return {
    input,
    binding: {
      ...{ id: hash(0xb1), accountId: "", ownerAddress: WALLET, chainId: 31_337, address: WALLET },
      ...{ manifestId: manifest.id, stateHash: hash(3), digest: hash(4), nonce: hash(5), expiresAt: 0 },
      ...{ createdAt: 0, revision: 0 },
      get state(): never {
        throw new Error("nothing compiles by the wallet's state")
      }
    },
    manifest,
    guard: { name: "guard", address: addressAt(50), runtimeCodeHash: hash(0x50) },
    grant: {
      ...{ id: input.grantId, accountId: "", botAddress: PREPARED.sessionKey, label: "" },
      ...{ scopes: ["read", "plan", "relay"], createdAt: 0, expiresAt: 2e9, revokedAt: null, state: "active" }
    },
    validUntil: PREPARED.validUntil,
    paymasterCodeHash: hash(0),
    allocations: allocationsOfMany,
    actions: Either.getOrThrow(compileActions(ground, actions))
  }
}

export const groundOfMany: SessionGround = {
  wallet: {
    ...{ bindingId: hash(0xb1), stateHash: hash(3), chainId: 31_337, address: WALLET, manifest },
    get inspection(): never {
      throw new Error("nothing compiles by the inspection")
    }
  },
  administration: { installed: true, enableNonce: "3", epoch: "7", history: hash(0xba), live: null },
  evidence: { ...PREPARED.evidence, timestamp: String(START) }
}
