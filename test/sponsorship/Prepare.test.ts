/** What is prepared for a plan's steps, and what the forwarder itself says of it. */
import { createHash } from "node:crypto"
import { encodeFunctionData, hashTypedData, keccak256 } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import forwarderArtifact from "../../sandbox/artifacts/ERC2771Forwarder.json" with { type: "json" }
import { committedSponsorshipText } from "../../src/sponsorship/CommittedSponsorship.ts"
import { outerGas } from "../../src/values/ForwardRequest.ts"
import { FORWARD_REQUEST } from "../support/ForwardRequest.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import { newPayer } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { signAuthorization, typedMessage } from "./support/Signing.ts"
import {
  authorizationOf,
  type SponsoredAuthorization,
  sponsorshipFor,
  startSponsoringBench
} from "./support/Sponsored.ts"

const bench = await startSponsoringBench()
const { service, chain } = bench

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) => sqlOn(service.databaseUrl, text, values)

const signedRequest = async (owner: Party, authorization: SponsoredAuthorization) => {
  const { nonce: _, ...message } = typedMessage(authorization)
  return { ...message, signature: await signAuthorization(owner.key, authorization) }
}

const forwarderCall = async (
  functionName: "verify" | "execute",
  owner: Party,
  authorization: SponsoredAuthorization,
  from = owner.key.address
) => {
  const request = await signedRequest(owner, authorization)
  const data = encodeFunctionData({ abi: forwarderArtifact.abi, functionName, args: [request] })
  const gas = `0x${outerGas(authorization.message).toString(16)}`
  return { from, to: authorization.forwarder, data, gas, value: `0x${request.value.toString(16)}` }
}

describe("a prepared sponsorship", () => {
  it("holds requests that the chain's own forwarder verifies and executes", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const sponsorship = await sponsorshipFor(service, owner, plan)
    const authorization = authorizationOf(sponsorship)
    const { value: _, ...verifying } = await forwarderCall("verify", owner, authorization)
    const verified = await rpc(chain.url, "eth_call", [verifying, "latest"])
    assert.strictEqual(BigInt(verified), 1n)
    const sender = (await newPayer(bench)).key.address
    await rpc(chain.url, "anvil_impersonateAccount", [sender])
    const executing = await forwarderCall("execute", owner, authorization, sender)
    const receipt = await rpc(chain.url, "eth_sendTransactionSync", [executing])
    assert.strictEqual(receipt.status, "0x1")
  })

  it("says what was signed for, of which code, at which block, and until when", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const sponsorship = await sponsorshipFor(service, owner, plan)
    const { authorizations, id, commitment, createdAt, ...rest } = sponsorship
    assert.deepStrictEqual(rest, {
      planId: plan.id,
      planCommitment: plan.commitment,
      state: "prepared",
      publicationExpiresAt: plan.expiresAt,
      revision: 0,
      nextAction: { kind: "sign" },
      economicCompletion: "pending",
      atomicAcrossChains: false,
      observations: []
    })
    const authorization = authorizationOf(sponsorship)
    const { evidence, message, forwarder, domain, digest } = authorization
    const block = await rpc(chain.url, "eth_getBlockByHash", [evidence.blockHash, false])
    const codeHash = async (address: string) =>
      keccak256(await rpc(chain.url, "eth_getCode", [address, evidence.blockHash]))
    const [call] = plan.calls
    assert.strictEqual(authorizations.length, 1)
    assert.deepStrictEqual(domain, {
      name: "Forwarder",
      version: "1",
      chainId: 31337,
      verifyingContract: forwarder
    })
    assert.deepStrictEqual(
      { ...message, gas: undefined },
      {
        from: owner.key.address,
        to: call?.to,
        value: call?.value,
        gas: undefined,
        nonce: "0",
        deadline: String(BigInt(block.timestamp) + 3_600n),
        data: call?.data
      }
    )
    assert.strictEqual(authorization.forwarderCodeHash, await codeHash(forwarder))
    assert.strictEqual(authorization.targetCodeHash, await codeHash(message.to))
    const { from, to, data } = message
    const request = { from, to, data, value: `0x${BigInt(message.value).toString(16)}` }
    const estimate = BigInt(
      await rpc(chain.url, "eth_estimateGas", [request, { blockHash: evidence.blockHash }])
    )
    assert.strictEqual(BigInt(message.gas), (estimate * 6n) / 5n + 25_000n)
    const hashed = { domain, types: FORWARD_REQUEST, message: typedMessage(authorization) }
    assert.strictEqual(digest, hashTypedData({ ...hashed, primaryType: "ForwardRequest" }))
    const ownership = { accountId: owner.accountId, principalId: `owner:${owner.accountId}` }
    const text = committedSponsorshipText(sponsorship, ownership)
    assert.strictEqual(commitment, `0x${createHash("sha256").update(text).digest("hex")}`)
    assert.isAtMost(createdAt, sponsorship.publicationExpiresAt)
    assert.match(id, /^[0-9a-f-]{36}$/)
  })

  it("gives several calls of a chain the next nonces in the order of their steps", async () => {
    const owner = await newPayer(bench)
    const pay = payment(bench, owner.key.address)
    const plan = await planned(bench, owner, { calls: [pay, { ...pay, dependsOn: [0] }, pay] })
    const { authorizations } = await sponsorshipFor(service, owner, plan)
    assert.deepStrictEqual(
      authorizations.map(({ stepIndex, message }) => [stepIndex, message.nonce]),
      [
        [0, "0"],
        [2, "1"]
      ]
    )
    const asked = await sponsorshipFor(service, owner, plan, { stepIndexes: [2] })
    assert.deepStrictEqual(
      asked.authorizations.map(({ stepIndex, message }) => [stepIndex, message.nonce]),
      [[2, "0"]]
    )
  })

  it("takes the nonce that the forwarder has for the wallet", async () => {
    const owner = await newPayer(bench)
    const first = await sponsorshipFor(service, owner, await planned(bench, owner))
    await rpc(chain.url, "anvil_impersonateAccount", [owner.key.address])
    const executing = await forwarderCall("execute", owner, authorizationOf(first))
    const { status } = await rpc(chain.url, "eth_sendTransactionSync", [executing])
    assert.strictEqual(status, "0x1")
    const next = await sponsorshipFor(service, owner, await planned(bench, owner))
    assert.strictEqual(authorizationOf(next).message.nonce, "1")
  })

  it("expires with its plan", async () => {
    const owner = await newPayer(bench)
    const { id } = await sponsorshipFor(service, owner, await planned(bench, owner))
    await sql("UPDATE sponsorships SET expires_at = unix_millis() WHERE id = $1", [id])
    const shown = await (await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}`)).json()
    assert.deepInclude(shown, {
      state: "expired",
      nextAction: {
        kind: "prepare-again",
        reason: "the plan expired before it was published: what is left needs a new plan"
      }
    })
  })
})
