// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBDirectory, IJBPayerTracker, IJBTerminal} from "./interfaces.sol";
import {JBConstants} from "./JBConstants.sol";

/// Pays what ether it receives into a project, for whoever is behind the sender.
contract JBProjectPayer is IJBPayerTracker {
    error JBProjectPayer_AlreadyInitialized(address caller, address deployer);
    error JBProjectPayer_TerminalNotFound(uint256 projectId, address token);

    address public immutable DEPLOYER;
    IJBDirectory public immutable DIRECTORY;

    bool public defaultAddToBalance;
    address payable public defaultBeneficiary;
    string public defaultMemo;
    bytes public defaultMetadata;
    uint256 public defaultProjectId;
    address public owner;
    address public transient originalPayer;

    constructor(IJBDirectory directory) {
        DEPLOYER = msg.sender;
        DIRECTORY = directory;
    }

    receive() external payable {
        address terminal = address(DIRECTORY.primaryTerminalOf(defaultProjectId, JBConstants.NATIVE_TOKEN));
        if (terminal == address(0)) {
            revert JBProjectPayer_TerminalNotFound(defaultProjectId, JBConstants.NATIVE_TOKEN);
        }
        originalPayer = _payerBehind(msg.sender);
        address beneficiary = defaultBeneficiary == address(0) ? originalPayer : defaultBeneficiary;
        IJBTerminal(terminal).pay{value: msg.value}(
            defaultProjectId, JBConstants.NATIVE_TOKEN, msg.value, beneficiary, 0, defaultMemo, defaultMetadata
        );
        originalPayer = address(0);
    }

    function initialize(
        uint256 projectId,
        address payable beneficiary,
        string calldata memo,
        bytes calldata metadata,
        bool addToBalance,
        address owner_
    ) external {
        if (msg.sender != DEPLOYER) revert JBProjectPayer_AlreadyInitialized(msg.sender, DEPLOYER);
        defaultProjectId = projectId;
        defaultBeneficiary = beneficiary;
        defaultMemo = memo;
        defaultMetadata = metadata;
        defaultAddToBalance = addToBalance;
        owner = owner_;
    }

    function _payerBehind(address sender) private view returns (address) {
        if (sender.code.length == 0) return sender;
        try IJBPayerTracker(sender).originalPayer() returns (address payer) {
            return payer == address(0) ? sender : payer;
        } catch {
            return sender;
        }
    }
}
