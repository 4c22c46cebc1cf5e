/** Puts the sandbox on a fresh local chain, or finds it there: the same addresses and transactions every time. */
import { type Address, createPublicClient, type Hex, http, keccak256, type PublicClient } from "viem"
import type { SandboxAccounts, SandboxCall } from "./calls.ts"
import { type ConstructorArgument, type SandboxContract, sandboxContracts } from "./contracts.ts"
import { developmentAccount } from "./DevelopmentAccounts.ts"
import { DEMO_PROJECT_ID, demoTokenOf, FEE_PROJECT_ID, seedCalls } from "./seed.ts"

const SANDBOX_CHAIN_ID = 31_337

interface SandboxDeployment {
  readonly contractId: string
  readonly alias: string
  readonly address: Address
  readonly receipt: { readonly transactionHash: Hex; readonly blockNumber: number }
  readonly constructorArguments: ReadonlyArray<ConstructorArgument>
  readonly runtimeCodeHash: Hex
}

export interface SandboxManifest {
  readonly chainId: typeof SANDBOX_CHAIN_ID
  readonly deployments: ReadonlyArray<SandboxDeployment>
  readonly seeded: {
    readonly feeProjectId: string
    readonly projectId: string
    readonly token: Address
  }
  readonly accounts: SandboxAccounts
}

const GAS_LIMIT = 10_000_000n
const MAX_FEE_PER_GAS = 10_000_000_000n

export const deploySandbox = async (rpcUrl: string): Promise<SandboxManifest> => {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) })
  const chainId = await client.getChainId()
  if (chainId !== SANDBOX_CHAIN_ID) throw new Error(`The sandbox needs chain 31337, not ${chainId}.`)
  const accounts = sandboxAccounts()
  const contracts = sandboxContracts(accounts.owner)
  const hashes = await execute(client, [
    ...contracts.map(({ creationCode }) => ({ data: creationCode, value: 0n })),
    ...seedCalls(accounts)
  ])
  const deployments = await Promise.all(
    contracts.map((contract, nonce) => deploymentOf(client, contract, hashes[nonce]))
  )
  return {
    chainId: SANDBOX_CHAIN_ID,
    deployments,
    seeded: {
      feeProjectId: String(FEE_PROJECT_ID),
      projectId: String(DEMO_PROJECT_ID),
      token: demoTokenOf(accounts.owner)
    },
    accounts
  }
}

type Step = Omit<SandboxCall, "to"> & { readonly to?: Address }

const sandboxAccounts = (): SandboxAccounts => ({
  owner: developmentAccount(0).address,
  holder: developmentAccount(1).address,
  beneficiary: developmentAccount(2).address
})

/** Step n has nonce n, so the owner's nonce says how far an earlier call got and the hashes follow from the steps. */
const execute = async (client: PublicClient, steps: ReadonlyArray<Step>): Promise<ReadonlyArray<Hex>> => {
  const owner = developmentAccount(0)
  const done = await client.getTransactionCount({ address: owner.address })
  const signed = await Promise.all(
    steps.map((step, nonce) =>
      owner.signTransaction({
        type: "eip1559",
        chainId: SANDBOX_CHAIN_ID,
        nonce,
        gas: GAS_LIMIT,
        maxFeePerGas: MAX_FEE_PER_GAS,
        maxPriorityFeePerGas: 1n,
        ...step
      })
    )
  )
  const hashes = signed.map(raw => keccak256(raw))
  await assertOurs(client, hashes.slice(0, done))
  for (const serializedTransaction of signed.slice(done)) {
    const receipt = await client.sendRawTransactionSync({ serializedTransaction })
    if (receipt.status !== "success") throw new Error(`The sandbox's ${receipt.transactionHash} reverted.`)
  }
  return hashes
}

/** The last one alone may be the same where an earlier one made another contract. */
const assertOurs = (client: PublicClient, hashes: ReadonlyArray<Hex>): Promise<unknown> =>
  Promise.all(hashes.map(hash => client.getTransactionReceipt({ hash }))).catch(cause => {
    throw new Error(
      "The chain holds other contracts than these, or its first account was used for something else; start a fresh chain.",
      { cause }
    )
  })

const deploymentOf = async (
  client: PublicClient,
  { address, constructorArguments, contractId, name }: SandboxContract,
  transactionHash: Hex | undefined
): Promise<SandboxDeployment> => {
  const code = await client.getCode({ address })
  if (code === undefined || transactionHash === undefined) {
    throw new Error(`The sandbox's ${name} is not at ${address}.`)
  }
  const { blockNumber } = await client.getTransactionReceipt({ hash: transactionHash })
  return {
    contractId,
    alias: name,
    address,
    receipt: { transactionHash, blockNumber: Number(blockNumber) },
    constructorArguments,
    runtimeCodeHash: keccak256(code)
  }
}
