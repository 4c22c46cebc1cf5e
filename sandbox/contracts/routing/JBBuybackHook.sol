// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {
    IJBDirectory,
    IJBPayHook,
    IJBPermissions,
    IJBPrices,
    IJBProjects,
    IJBRulesetDataHook,
    IJBTokens
} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBPayHookSpecification,
    JBRuleset
} from "../structs.sol";
import {PoolKey} from "./PoolKey.sol";
import {SandboxPools} from "./SandboxPools.sol";

/// Which pool a project's token has for a terminal's token. Nothing is bought: every payment mints.
contract JBBuybackHook is JBPermissioned, ERC2771Context, IJBRulesetDataHook {
    error JBBuybackHook_AlreadyConfigured();
    error JBBuybackHook_InvalidTwapWindow(uint256 value, uint256 min, uint256 max);
    error JBBuybackHook_PoolAlreadySet(bytes32 poolId);
    error JBBuybackHook_PoolKeyCurrenciesMismatch();
    error JBBuybackHook_PoolNotInitialized(bytes32 poolId);
    error JBBuybackHook_PoolNotSet(uint256 projectId, address terminalToken);
    error JBBuybackHook_TerminalTokenIsProjectToken(address terminalToken, address projectToken);
    error JBBuybackHook_Unauthorized(address caller);
    error JBBuybackHook_ZeroProjectToken(uint256 projectId);

    event PoolAdded(uint256 indexed projectId, address indexed terminalToken, bytes32 poolId, address caller);
    event TwapWindowChanged(
        uint256 indexed projectId, address indexed terminalToken, uint256 oldWindow, uint256 newWindow, address caller
    );

    uint256 public constant MIN_TWAP_WINDOW = 5 minutes;
    uint256 public constant MAX_TWAP_WINDOW = 2 days;
    uint256 public constant TWAP_SLIPPAGE_DENOMINATOR = 10_000;
    uint256 private constant SET_BUYBACK_TWAP = 28;
    uint256 private constant SET_BUYBACK_POOL = 29;

    IJBDirectory public immutable DIRECTORY;
    IJBPrices public immutable PRICES;
    IJBProjects public immutable PROJECTS;
    IJBTokens public immutable TOKENS;
    address private immutable _deployer;

    address public poolManager;
    address public oracleHook;
    mapping(uint256 projectId => address) public projectTokenOf;
    mapping(uint256 projectId => mapping(address terminalToken => PoolKey)) private _poolKeyOf;
    mapping(uint256 projectId => mapping(address terminalToken => uint256)) private _twapWindowOf;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBPrices prices,
        IJBProjects projects,
        IJBTokens tokens,
        address deployer,
        address trustedForwarder
    ) JBPermissioned(permissions) ERC2771Context(trustedForwarder) {
        DIRECTORY = directory;
        PRICES = prices;
        PROJECTS = projects;
        TOKENS = tokens;
        _deployer = deployer;
    }

    function setChainSpecificConstants(address newPoolManager, address newOracleHook) external {
        if (_msgSender() != _deployer) revert JBBuybackHook_Unauthorized(_msgSender());
        if (poolManager != address(0)) revert JBBuybackHook_AlreadyConfigured();
        (poolManager, oracleHook) = (newPoolManager, newOracleHook);
    }

    function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)
        external
    {
        address other = _currencyOf(terminalToken);
        address token = _tokenOf(projectId);
        (address currency0, address currency1) = other < token ? (other, token) : (token, other);
        _setPool(projectId, PoolKey(currency0, currency1, fee, tickSpacing, oracleHook), twapWindow, terminalToken);
    }

    function setPoolFor(uint256 projectId, PoolKey calldata poolKey, uint256 twapWindow, address terminalToken)
        external
    {
        address other = _currencyOf(terminalToken);
        address token = _tokenOf(projectId);
        bool isPair = (poolKey.currency0 == other && poolKey.currency1 == token)
            || (poolKey.currency0 == token && poolKey.currency1 == other);
        if (!isPair) revert JBBuybackHook_PoolKeyCurrenciesMismatch();
        _setPool(projectId, poolKey, twapWindow, terminalToken);
    }

    function setTwapWindowOf(uint256 projectId, address terminalToken, uint256 newWindow) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_TWAP);
        _requireWindow(newWindow);
        address currency = _currencyOf(terminalToken);
        if (_isEmpty(_poolKeyOf[projectId][currency])) revert JBBuybackHook_PoolNotSet(projectId, currency);
        _setWindow(projectId, currency, newWindow);
    }

    /// Knows the native token by the zero address alone, as it is kept.
    function poolKeyOf(uint256 projectId, address terminalToken) external view returns (PoolKey memory key) {
        return _poolKeyOf[projectId][terminalToken];
    }

    function twapWindowOf(uint256 projectId, address terminalToken) external view returns (uint256) {
        return _twapWindowOf[projectId][terminalToken];
    }

    /// With a pool the terminal is told what was compared, and that nothing is to be done.
    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications)
    {
        weight = context.weight;
        PoolKey memory key = _poolKeyOf[context.projectId][_currencyOf(context.amount.token)];
        if (_isEmpty(key)) return (weight, hookSpecifications);
        hookSpecifications = new JBPayHookSpecification[](1);
        hookSpecifications[0] = JBPayHookSpecification(IJBPayHook(address(this)), true, 0, _comparison(context, key));
    }

    function beforeCashOutRecordedWith(JBBeforeCashOutRecordedContext calldata context)
        external
        view
        returns (
            uint256 cashOutTaxRate,
            uint256 cashOutCount,
            uint256 totalSupply,
            uint256 effectiveSurplusValue,
            JBCashOutHookSpecification[] memory hookSpecifications
        )
    {
        cashOutTaxRate = context.cashOutTaxRate;
        cashOutCount = context.cashOutCount;
        totalSupply = context.totalSupply;
        effectiveSurplusValue = context.surplus.value;
        hookSpecifications = new JBCashOutHookSpecification[](0);
    }

    function hasMintPermissionFor(uint256, JBRuleset memory, address) external pure returns (bool) {
        return false;
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IJBRulesetDataHook).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    function _setPool(uint256 projectId, PoolKey memory key, uint256 twapWindow, address terminalToken) private {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_POOL);
        _requireWindow(twapWindow);
        address currency = _currencyOf(terminalToken);
        address token = _tokenOf(projectId);
        if (currency == token) revert JBBuybackHook_TerminalTokenIsProjectToken(terminalToken, token);
        PoolKey memory present = _poolKeyOf[projectId][currency];
        if (!_isEmpty(present)) revert JBBuybackHook_PoolAlreadySet(_idOf(present));
        if (!SandboxPools(poolManager).isInitialized(key)) revert JBBuybackHook_PoolNotInitialized(_idOf(key));
        _poolKeyOf[projectId][currency] = key;
        projectTokenOf[projectId] = token;
        _setWindow(projectId, currency, twapWindow);
        emit PoolAdded(projectId, currency, _idOf(key), _msgSender());
    }

    function _setWindow(uint256 projectId, address currency, uint256 newWindow) private {
        emit TwapWindowChanged(projectId, currency, _twapWindowOf[projectId][currency], newWindow, _msgSender());
        _twapWindowOf[projectId][currency] = newWindow;
    }

    /// Fifteen words, of which those about the swap that never happens are zero.
    function _comparison(JBBeforePayRecordedContext calldata context, PoolKey memory key)
        private
        view
        returns (bytes memory)
    {
        uint256[15] memory words;
        words[0] = key.currency0 == projectTokenOf[context.projectId] ? 1 : 0;
        words[4] = uint160(address(DIRECTORY.controllerOf(context.projectId)));
        words[7] = context.amount.value;
        words[10] = uint256(_idOf(key));
        return abi.encode(words);
    }

    function _tokenOf(uint256 projectId) private view returns (address token) {
        token = address(TOKENS.tokenOf(projectId));
        if (token == address(0)) revert JBBuybackHook_ZeroProjectToken(projectId);
    }

    function _requireWindow(uint256 window) private pure {
        if (window < MIN_TWAP_WINDOW || window > MAX_TWAP_WINDOW) {
            revert JBBuybackHook_InvalidTwapWindow(window, MIN_TWAP_WINDOW, MAX_TWAP_WINDOW);
        }
    }

    function _currencyOf(address terminalToken) private pure returns (address) {
        return terminalToken == JBConstants.NATIVE_TOKEN ? address(0) : terminalToken;
    }

    function _isEmpty(PoolKey memory key) private pure returns (bool) {
        return key.currency1 == address(0);
    }

    function _idOf(PoolKey memory key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }
}
