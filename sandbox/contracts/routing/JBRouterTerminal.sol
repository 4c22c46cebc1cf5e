// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IJBDirectory, IJBTerminal, IJBTokens, IPermit2} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBAccountingContext, JBPayHookSpecification, JBRuleset} from "../structs.sol";
import {ForwardingTerminal} from "./ForwardingTerminal.sol";
import {PoolKey} from "./PoolKey.sol";
import {SandboxPools} from "./SandboxPools.sol";

interface IJBAccounts {
    function accountingContextsOf(uint256 projectId) external view returns (JBAccountingContext[] memory);
}

struct PoolInfo {
    bool isV4;
    address v3Pool;
    PoolKey v4Key;
}

/// Leads a payment to the project's terminal that keeps accounts in the same token, or in ether that it unwraps; nothing is swapped.
contract JBRouterTerminal is ForwardingTerminal {
    error JBRouterTerminal_AlreadyConfigured();
    error JBRouterTerminal_AmountOverflow(uint256 amount);
    error JBRouterTerminal_NoMsgValueAllowed(uint256 value);
    error JBRouterTerminal_NoPoolFound(address tokenIn, address tokenOut);
    error JBRouterTerminal_Unauthorized(address caller);

    uint256 public constant DEFAULT_TWAP_WINDOW = 10 minutes;
    uint32 public constant MIN_TWAP_WINDOW = 5 minutes;

    address public immutable BUYBACK_HOOK;
    IJBDirectory public immutable DIRECTORY;
    IJBTokens public immutable TOKENS;
    address private immutable _deployer;

    address public wrappedNativeToken;
    address public factory;
    address public poolManager;
    address public univ4Hook;

    constructor(
        IJBDirectory directory,
        IJBTokens tokens,
        IPermit2 permit2,
        address buybackHook,
        address trustedForwarder,
        address deployer
    ) ForwardingTerminal(permit2, trustedForwarder) {
        DIRECTORY = directory;
        TOKENS = tokens;
        BUYBACK_HOOK = buybackHook;
        _deployer = deployer;
    }

    receive() external payable {}

    function setChainSpecificConstants(
        address newWrappedNativeToken,
        address newFactory,
        address newPoolManager,
        address newUniv4Hook
    ) external {
        if (_msgSender() != _deployer) revert JBRouterTerminal_Unauthorized(_msgSender());
        if (poolManager != address(0)) revert JBRouterTerminal_AlreadyConfigured();
        (wrappedNativeToken, factory) = (newWrappedNativeToken, newFactory);
        (poolManager, univ4Hook) = (newPoolManager, newUniv4Hook);
    }

    function pay(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        uint256 minReturnedTokens,
        string calldata memo,
        bytes calldata metadata
    ) external payable returns (uint256 beneficiaryTokenCount) {
        return abi.decode(_handOn(projectId, token, amount), (uint256));
    }

    function previewPayFor(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        bytes calldata metadata
    )
        external
        view
        returns (
            JBRuleset memory ruleset,
            uint256 beneficiaryTokenCount,
            uint256 reservedTokenCount,
            JBPayHookSpecification[] memory hookSpecifications
        )
    {
        _askNext(projectId, token);
    }

    /// The deployed router weighs pools; here there is at most one for each pair.
    function discoverBestPool(address normalizedTokenIn, address normalizedTokenOut)
        external
        view
        returns (PoolInfo memory)
    {
        PoolKey memory key = SandboxPools(poolManager).poolBetween(
            _currencyOf(normalizedTokenIn), _currencyOf(normalizedTokenOut)
        );
        if (key.hooks == address(0)) revert JBRouterTerminal_NoPoolFound(normalizedTokenIn, normalizedTokenOut);
        return PoolInfo(true, address(0), key);
    }

    /// Any token is taken, for it is led to where it is kept.
    function accountingContextForTokenOf(uint256, address token) external view returns (JBAccountingContext memory) {
        uint8 decimals = token == JBConstants.NATIVE_TOKEN ? 18 : IERC20Metadata(token).decimals();
        return JBAccountingContext(token, decimals, uint32(uint160(token)));
    }

    function accountingContextsOf(uint256 projectId) external pure returns (JBAccountingContext[] memory contexts) {}

    function currentSurplusOf(uint256 projectId, address[] calldata tokens, uint256 decimals, uint256 currency)
        external
        pure
        returns (uint256 surplus)
    {}

    function migrateBalanceOf(uint256 projectId, address token, address to) external pure returns (uint256 balance) {}

    function supportsInterface(bytes4 interfaceId) external view returns (bool) {
        return interfaceId == type(IJBTerminal).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    /// To who keeps accounts in the token, else to who does in ether that was wrapped.
    function _routeFor(uint256 projectId, address token)
        internal
        view
        override
        returns (address next, address taken)
    {
        next = _keeperOf(projectId, token);
        if (next != address(0) || token != wrappedNativeToken) return (next, token);
        return (_keeperOf(projectId, JBConstants.NATIVE_TOKEN), JBConstants.NATIVE_TOKEN);
    }

    function _refuseRoute(uint256, address token) internal pure override {
        revert JBRouterTerminal_NoPoolFound(token, address(0));
    }

    function _keeperOf(uint256 projectId, address token) private view returns (address) {
        IJBTerminal[] memory terminals = DIRECTORY.terminalsOf(projectId);
        for (uint256 i; i < terminals.length; i++) {
            if (_keepsAccounts(address(terminals[i]), projectId, token)) return address(terminals[i]);
        }
        return address(0);
    }

    function _keepsAccounts(address terminal, uint256 projectId, address token) private view returns (bool) {
        JBAccountingContext[] memory contexts = IJBAccounts(terminal).accountingContextsOf(projectId);
        for (uint256 i; i < contexts.length; i++) {
            if (contexts[i].token == token) return true;
        }
        return false;
    }

    function _currencyOf(address normalizedToken) private view returns (address) {
        return normalizedToken == wrappedNativeToken ? address(0) : normalizedToken;
    }

    function _refuseValue() internal override {
        revert JBRouterTerminal_NoMsgValueAllowed(msg.value);
    }

    function _refuseAmount(uint256 amount) internal pure override {
        revert JBRouterTerminal_AmountOverflow(amount);
    }
}
