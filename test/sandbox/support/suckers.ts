/** What tests call and read of suckers, and the claim that the sandbox's seed leaves to its holder. */
import { Interface } from "ethers"
import { type Hex, parseAbi, parseEther, zeroHash } from "viem"
import { NATIVE_TOKEN } from "../../../sandbox/calls.ts"
import { BRIDGED_PROJECT_ID, bridgedTokenOf, suckersOf, word } from "../../../sandbox/families/suckers.ts"
import { hashLeaf, treeOf } from "../../operations/omnichain/support/Trees.ts"
import { holder, owner } from "./Sandbox.ts"

export const suckerAbi = parseAbi([
  "struct Mapping { address localToken; uint32 minGas; bytes32 remoteToken; }",
  "struct Configuration { address deployer; bytes32 peer; Mapping[] mappings; }",
  "struct Context { bytes32 token; uint8 decimals; uint128 surplus; uint128 balance; }",
  "struct Account { uint256 chainId; uint256 totalSupply; Context[] contexts; uint256 timestamp; }",
  "struct Root { uint64 nonce; bytes32 root; }",
  "struct Message { uint8 version; bytes32 token; uint256 amount; Root remoteRoot; Account[] accounts; }",
  "function prepare(uint256 projectTokenCount, bytes32 beneficiary, uint256 minTokensReclaimed, address token, bytes32 metadata)",
  "function toRemote(address token) payable",
  "function fromRemote(Message root) payable",
  "function syncAccountingData() payable",
  "function setDeprecation(uint40 timestamp)",
  "function state() view returns (uint8)",
  "function peerChainAccountsOf() view returns (Account[] accounts)",
  "function inboxOf(address token) view returns (Root)",
  "function executedLeafHashOf(address token, uint256 index) view returns (bytes32)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function deploySuckersFor(uint256 projectId, bytes32 salt, Configuration[] configurations) returns (address[] suckers)",
  "function allSuckersOf(uint256 projectId) view returns (address[] suckers)",
  "function suckersOf(uint256 projectId) view returns (address[] suckers)",
  "function isSuckerOf(uint256 projectId, address addr) view returns (bool)",
  "function removeDeprecatedSucker(uint256 projectId, address sucker)",
  "event Claimed(bytes32 beneficiary, address token, uint256 projectTokenCount, uint256 terminalTokenAmount, uint256 index, bytes32 metadata, address caller)",
  "event ClaimFailed(address indexed token, uint256 index, address caller)",
  "event InsertToOutboxTree(bytes32 indexed beneficiary, address indexed token, bytes32 hashed, uint256 index, bytes32 root, uint256 projectTokenCount, uint256 terminalTokenAmount, bytes32 metadata, address caller)",
  "event NewInboxTreeRoot(address indexed token, uint64 nonce, bytes32 root, address caller)",
  "event AccountingDataSynced(uint256 sourceTimestamp, address caller)",
  "error JBPermissioned_Unauthorized(address account, address sender, uint256 projectId, uint256 permissionId)",
  "error JBSucker_Deprecated(uint8 state)",
  "error JBSucker_InsufficientMsgValue(uint256 received, uint256 expected)",
  "error JBSucker_UnexpectedMsgValue(uint256 value)",
  "error JBSucker_InvalidProof(bytes32 root, bytes32 inboxRoot)",
  "error JBSucker_LeafAlreadyExecuted(address token, uint256 index)",
  "error JBSucker_NotPeer(bytes32 caller)",
  "error JBSuckerRegistry_SuckerIsNotDeprecated(address sucker, uint8 suckerState)",
  "error JBSucker_NothingToSend(address token, uint256 outboxBalance, uint256 treeCount, uint256 numberOfClaimsSent)"
])

export const [SENDER, RECEIVER] = suckersOf(owner.address)
export const BRIDGED_TOKEN = bridgedTokenOf(owner.address)
export const BRIDGED = BRIDGED_PROJECT_ID

/** A thousand of four thousand tokens, which four ether had paid for. */
export const seededLeaf = {
  index: "0",
  beneficiary: word(holder.address),
  projectTokenCount: String(parseEther("1000")),
  terminalTokenAmount: String(parseEther("1")),
  metadata: zeroHash
}

export interface TestClaim {
  readonly token: Hex
  readonly leaf: typeof seededLeaf
  readonly proof: ReadonlyArray<Hex>
}

export const seededClaim: TestClaim = {
  token: NATIVE_TOKEN,
  leaf: seededLeaf,
  proof: treeOf([hashLeaf(seededLeaf)]).proofOf(0)
}

const CLAIM =
  "tuple(address token, tuple(uint256 index, bytes32 beneficiary, uint256 projectTokenCount, uint256 terminalTokenAmount, bytes32 metadata) leaf, bytes32[32] proof)"
const claims = new Interface([`function claim(${CLAIM} claimData)`, `function claim(${CLAIM}[] claims)`])

const own = (data: string): Hex => `0x${data.slice(2)}`

export const claimOne = (claim: TestClaim): Hex => own(claims.encodeFunctionData(`claim(${CLAIM})`, [claim]))

export const claimMany = (many: ReadonlyArray<TestClaim>): Hex =>
  own(claims.encodeFunctionData(`claim(${CLAIM}[])`, [many]))
