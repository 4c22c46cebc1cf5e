/** What the tests call of guards, wallets and tokens. */
import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem"

export const guardAbi = parseAbi([
  "struct State { bytes32 compiledHash; uint8 status; uint48 validAfter; uint48 validUntil; uint32 calls; address sessionKey; uint256 gas; uint256 cost; uint256[16] actionSpent; uint256[16] allocationSpent; }",
  "struct Administration { uint64 enableNonce; uint64 epoch; bool installed; bytes32 history; bytes32 live; }",
  "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "error Refused(uint8 rule)",
  "event SessionEnabled(address indexed account, bytes32 indexed permissionId, bytes32 compiledHash, uint64 enableNonce, uint64 epoch, bytes32 history)",
  "event SessionRevoked(address indexed account, bytes32 indexed permissionId, uint64 enableNonce, uint64 epoch, bytes32 history)",
  "function enable(uint64 expectedEnableNonce, bytes encoded)",
  "function revoke(bytes32 permissionId)",
  "function onInstall(bytes data)",
  "function onUninstall(bytes data)",
  "function validateUserOp(PackedUserOperation operation, bytes32 operationHash) returns (uint256)",
  "function isValidSignatureWithSender(address sender, bytes32 hash, bytes signature) view returns (bytes4)",
  "function isModuleType(uint256 moduleTypeId) view returns (bool)",
  "function isInitialized(address account) view returns (bool)",
  "function permissionIdOf(address account, address sessionKey, uint64 generation, bytes32 nonce) view returns (bytes32)",
  "function compiledHashOf(address account, bytes32 policyHash) view returns (bytes32)",
  "function stateOf(bytes32 permissionId, address account) view returns (State)",
  "function administrationOf(address account) view returns (Administration)"
])

export const walletAbi = parseAbi([
  "function installModule(uint256 moduleType, address module, bytes initData)",
  "function uninstallModule(uint256 moduleType, address module, bytes deInitData)",
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"
])

export const tokenAbi = parseAbi([
  "function mint(address to, uint256 amount)",
  "function transfer(address to, uint256 amount) returns (bool)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)"
])

const hostileAbi = parseAbi([
  "function callDuringTransfers(address callee, bytes data)",
  "event HostileToken_Called(bool success, bytes answer)"
])

export const hostile = {
  told: (callee: Address, data: Hex) =>
    encodeFunctionData({ abi: hostileAbi, functionName: "callDuringTransfers", args: [callee, data] }),
  abi: hostileAbi
}
