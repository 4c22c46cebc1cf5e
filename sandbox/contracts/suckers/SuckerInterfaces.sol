// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBAccountingContext} from "../structs.sol";
import {
    JBAccountingSnapshot,
    JBChainAccounting,
    JBClaim,
    JBMessageRoot,
    JBSuckerDeployerConfig,
    JBSuckerState,
    JBTokenMapping
} from "./SuckerStructs.sol";

interface IJBSucker {
    function initialize(uint256 localProjectId, bytes32 remotePeer) external;
    function mapTokens(JBTokenMapping[] calldata maps) external payable;
    function peer() external view returns (bytes32);
    function peerChainId() external view returns (uint256);
    function peerChainAccountsOf() external view returns (JBChainAccounting[] memory accounts);
    function state() external view returns (JBSuckerState);
    function claim(JBClaim calldata claimData) external;
    function fromRemote(JBMessageRoot calldata root) external payable;
    function fromRemoteAccounting(JBAccountingSnapshot calldata snapshot) external;
}

interface INativeBridgeDeployer {
    function opBridge() external view returns (address);
    function opMessenger() external view returns (address);
}

interface IJBSuckerDeployer {
    function createForSender(uint256 localProjectId, bytes32 salt, bytes32 peer) external returns (address sucker);
}

interface IMessenger {
    function sendMessage(address target, bytes calldata message, uint32 minGasLimit) external payable;
    function xDomainMessageSender() external view returns (address);
}

interface IJBSuckerRegistry {
    function toRemoteFee() external view returns (uint256);
    function requireTokenMappingAllowed(address localToken, uint256 remoteChainId, bytes32 remoteToken) external view;
    function deploySuckersFor(uint256 projectId, bytes32 salt, JBSuckerDeployerConfig[] calldata configurations)
        external
        returns (address[] memory suckers);
}

interface ICashOutTerminal {
    function accountingContextsOf(uint256 projectId) external view returns (JBAccountingContext[] memory);
    function currentSurplusOf(uint256 projectId, address[] calldata tokens, uint256 decimals, uint256 currency)
        external
        view
        returns (uint256);
    function cashOutTokensOf(
        address holder,
        uint256 projectId,
        uint256 cashOutCount,
        address tokenToReclaim,
        uint256 minTokensReclaimed,
        address payable beneficiary,
        bytes calldata metadata
    ) external returns (uint256 reclaimAmount);
}
