// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {JBConstants} from "../JBConstants.sol";
import {IJBDirectory, IJBPermissions, IJBTokens} from "../interfaces.sol";
import {
    DeliveredMessage,
    IRoutedReceiver,
    IRouter,
    IRouterDeployer,
    IWrappedNative,
    RoutedMessage,
    TokenAmount
} from "./RouterInterfaces.sol";
import {SuckerBase} from "./SuckerBase.sol";
import {IJBSucker, IJBSuckerRegistry} from "./SuckerInterfaces.sol";
import {JBAccountingSnapshot, JBMessageRoot} from "./SuckerStructs.sol";
import {SuckerRefunds} from "./SuckerRefunds.sol";

/// Reaches its peer by a router of CCIP, which is paid in ether, or in LINK where nothing is sent along.
contract JBCCIPSucker is SuckerRefunds {
    using SafeERC20 for IERC20;

    error JBCCIPSucker_PositiveRootWithoutDelivery(uint256 rootAmount);
    error JBCCIPSucker_UnderDeliveredAmount(uint256 delivered, uint256 rootAmount);
    error JBCCIPSucker_UnexpectedDeliveredTokens(uint256 count);
    error JBCCIPSucker_UnknownMessageType(uint8 messageType);
    error JBCCIPSucker_WrongDeliveredToken(address delivered, address expected);

    uint8 private constant ROOT = 0;
    uint8 private constant ACCOUNTS = 1;
    /// Of the chain with the id 8453.
    address private constant LINK = 0x88Fb150BDc53A65fe94Dea0c9BA0a6dAf8C6e196;
    /// The gas of the other end, and that messages need not arrive in order.
    bytes4 private constant EXTRA_ARGUMENTS = 0x181dcf10;
    IRouterDeployer private immutable DEPLOYER;

    constructor(
        address deployer,
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBTokens tokens,
        uint256 feeProjectId,
        IJBSuckerRegistry registry,
        address trustedForwarder
    ) SuckerBase(directory, permissions, tokens, feeProjectId, registry, trustedForwarder) {
        DEPLOYER = IRouterDeployer(deployer);
    }

    function ccipReceive(DeliveredMessage calldata any2EvmMessage) external {
        if (msg.sender != address(CCIP_ROUTER())) _refuse(bytes32(uint256(uint160(msg.sender))));
        bytes32 origin = abi.decode(any2EvmMessage.sender, (bytes32));
        if (origin != peer() || any2EvmMessage.sourceChainSelector != REMOTE_CHAIN_SELECTOR()) _refuse(origin);
        (uint8 kind, bytes memory payload) = abi.decode(any2EvmMessage.data, (uint8, bytes));
        if (kind == ROOT) {
            JBMessageRoot memory root = abi.decode(payload, (JBMessageRoot));
            _takeDelivered(any2EvmMessage.destTokenAmounts, address(uint160(uint256(root.token))), root.amount);
            IJBSucker(address(this)).fromRemote(root);
        } else if (kind == ACCOUNTS) {
            _requireNone(any2EvmMessage.destTokenAmounts.length);
            IJBSucker(address(this)).fromRemoteAccounting(abi.decode(payload, (JBAccountingSnapshot)));
        } else {
            revert JBCCIPSucker_UnknownMessageType(kind);
        }
    }

    function getRouter() external view returns (address router) {
        return address(CCIP_ROUTER());
    }

    function supportsInterface(bytes4 interfaceId) external view returns (bool supported) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IRoutedReceiver).interfaceId;
    }

    function CCIP_ROUTER() public view returns (IRouter) {
        return IRouter(DEPLOYER.ccipRouter());
    }

    function REMOTE_CHAIN_ID() external view returns (uint256) {
        return DEPLOYER.ccipRemoteChainId();
    }

    function REMOTE_CHAIN_SELECTOR() public view returns (uint64) {
        return DEPLOYER.ccipRemoteChainSelector();
    }

    function peerChainId() public view override returns (uint256 chainId) {
        return DEPLOYER.ccipRemoteChainId();
    }

    /// What the router asks for is known once the message is.
    function _requirePayment(uint256 payment) internal view override {}

    function _sendAccounts(JBAccountingSnapshot memory snapshot, uint256 payment) internal override {
        _send(_message(ACCOUNTS, abi.encode(snapshot), new TokenAmount[](0), 0), payment);
    }

    function _sendRoot(address token, JBMessageRoot memory root, uint256 payment, uint32 minGas) internal override {
        TokenAmount[] memory amounts = new TokenAmount[](root.amount == 0 ? 0 : 1);
        if (root.amount != 0) amounts[0] = _approved(token, root.amount);
        _send(_message(ROOT, abi.encode(root), amounts, minGas), payment);
    }

    /// It hands on to itself what the router brings.
    function _isPeer() internal view override returns (bool) {
        return msg.sender == address(this);
    }

    /// Ether goes wrapped.
    function _approved(address token, uint256 amount) private returns (TokenAmount memory) {
        IRouter router = CCIP_ROUTER();
        if (token == JBConstants.NATIVE_TOKEN) {
            token = router.getWrappedNative();
            IWrappedNative(token).deposit{value: amount}();
        }
        IERC20(token).forceApprove(address(router), amount);
        return TokenAmount(token, amount);
    }

    function _message(uint8 kind, bytes memory payload, TokenAmount[] memory amounts, uint32 minGas)
        private
        view
        returns (RoutedMessage memory)
    {
        return RoutedMessage({
            receiver: abi.encode(peer()),
            data: abi.encode(kind, payload),
            tokenAmounts: amounts,
            feeToken: address(0),
            extraArgs: abi.encodeWithSelector(EXTRA_ARGUMENTS, uint256(MESSENGER_BASE_GAS_LIMIT) + minGas, true)
        });
    }

    function _send(RoutedMessage memory message, uint256 payment) private {
        IRouter router = CCIP_ROUTER();
        uint64 selector = REMOTE_CHAIN_SELECTOR();
        if (payment == 0) message.feeToken = LINK;
        uint256 fee = router.getFee(selector, message);
        if (payment == 0) {
            IERC20(LINK).safeTransferFrom(_msgSender(), address(this), fee);
            IERC20(LINK).forceApprove(address(router), fee);
            router.ccipSend(selector, message);
            return;
        }
        if (payment < fee) revert JBSucker_InsufficientMsgValue(payment, fee);
        router.ccipSend{value: fee}(selector, message);
        _refund(payment - fee);
    }

    function _takeDelivered(TokenAmount[] calldata delivered, address token, uint256 amount) private {
        if (amount == 0) return _requireNone(delivered.length);
        if (delivered.length == 0) revert JBCCIPSucker_PositiveRootWithoutDelivery(amount);
        if (delivered.length != 1) revert JBCCIPSucker_UnexpectedDeliveredTokens(delivered.length);
        bool isNative = token == JBConstants.NATIVE_TOKEN;
        address expected = isNative ? CCIP_ROUTER().getWrappedNative() : token;
        if (delivered[0].token != expected) revert JBCCIPSucker_WrongDeliveredToken(delivered[0].token, expected);
        if (delivered[0].amount < amount) revert JBCCIPSucker_UnderDeliveredAmount(delivered[0].amount, amount);
        if (isNative) IWrappedNative(expected).withdraw(delivered[0].amount);
    }

    function _requireNone(uint256 count) private pure {
        if (count != 0) revert JBCCIPSucker_UnexpectedDeliveredTokens(count);
    }

    function _refuse(bytes32 caller) private pure {
        revert JBSucker_NotPeer(caller);
    }
}
