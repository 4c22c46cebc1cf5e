// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {JBConstants} from "../JBConstants.sol";
import {IJBDirectory, IJBPermissions, IJBTokens} from "../interfaces.sol";
import {SuckerBase} from "./SuckerBase.sol";
import {IJBSucker, IJBSuckerRegistry, IMessenger, INativeBridgeDeployer} from "./SuckerInterfaces.sol";
import {JBAccountingSnapshot, JBMessageRoot} from "./SuckerStructs.sol";
import {SuckerTransfers} from "./SuckerTransfers.sol";

/// Reaches its peer by a messenger, or where it stands on the same chain by calling it at once.
contract JBOptimismSucker is SuckerTransfers {
    using SafeERC20 for IERC20;

    error JBSucker_UnexpectedMsgValue(uint256 value);

    /// Of the other end, where a messenger leads to it.
    uint256 private constant REMOTE_CHAIN_ID = 1;
    INativeBridgeDeployer private immutable DEPLOYER;

    constructor(
        address deployer,
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBTokens tokens,
        uint256 feeProjectId,
        IJBSuckerRegistry registry,
        address trustedForwarder
    ) SuckerBase(directory, permissions, tokens, feeProjectId, registry, trustedForwarder) {
        DEPLOYER = INativeBridgeDeployer(deployer);
    }

    function OPBRIDGE() external view returns (address) {
        return DEPLOYER.opBridge();
    }

    function supportsInterface(bytes4 interfaceId) external view returns (bool) {
        return interfaceId == type(IERC165).interfaceId;
    }

    function OPMESSENGER() public view returns (address) {
        return DEPLOYER.opMessenger();
    }

    function peerChainId() public view override returns (uint256) {
        return _isHere() ? block.chainid : REMOTE_CHAIN_ID;
    }

    /// The transport takes none.
    function _requirePayment(uint256 payment) internal view override {
        if (payment != 0) revert JBSucker_UnexpectedMsgValue(payment);
    }

    function _sendAccounts(JBAccountingSnapshot memory snapshot, uint256) internal override {
        _deliver(abi.encodeCall(IJBSucker.fromRemoteAccounting, (snapshot)), 0);
    }

    function _sendRoot(address token, JBMessageRoot memory root, uint256, uint32) internal override {
        bool isNative = token == JBConstants.NATIVE_TOKEN;
        if (!isNative) IERC20(token).safeTransfer(_peerAddress(), root.amount);
        _deliver(abi.encodeCall(IJBSucker.fromRemote, (root)), isNative ? root.amount : 0);
    }

    function _isPeer() internal view override returns (bool) {
        if (_isHere()) return msg.sender == _peerAddress();
        return msg.sender == OPMESSENGER() && IMessenger(msg.sender).xDomainMessageSender() == _peerAddress();
    }

    function _deliver(bytes memory message, uint256 value) private {
        address target = _peerAddress();
        if (!_isHere()) {
            IMessenger(OPMESSENGER()).sendMessage{value: value}(target, message, MESSENGER_BASE_GAS_LIMIT);
            return;
        }
        (bool isHeard, bytes memory reason) = target.call{value: value}(message);
        if (isHeard) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    /// A deployer that is its own messenger makes suckers whose peers stand on this chain.
    function _isHere() private view returns (bool) {
        return OPMESSENGER() == address(DEPLOYER);
    }
}
