// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {IJBDirectory, IJBPrices, IJBProjects, IJBTokens} from "../interfaces.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {BuybackQuotes} from "./BuybackQuotes.sol";
import {PoolKey} from "./PoolKey.sol";
import {SandboxPools} from "./SandboxPools.sol";

/// Which pool a project's token has for a terminal's token.
abstract contract BuybackPools is JBPermissioned, ERC2771Context, BuybackQuotes {
    error JBBuybackHook_AlreadyConfigured();
    error JBBuybackHook_CallerNotPoolManager(address caller);
    error JBBuybackHook_CallerNotTerminal(address caller);
    error JBBuybackHook_InsufficientPayAmount(uint256 swapAmount, uint256 totalPaid);
    error JBBuybackHook_InvalidTwapWindow(uint256 value, uint256 min, uint256 max);
    error JBBuybackHook_PoolAlreadySet(bytes32 poolId);
    error JBBuybackHook_PoolKeyCurrenciesMismatch();
    error JBBuybackHook_PoolNotInitialized(bytes32 poolId);
    error JBBuybackHook_PoolNotSet(uint256 projectId, address terminalToken);
    error JBBuybackHook_SpecifiedSlippageExceeded(uint256 amount, uint256 minimum);
    error JBBuybackHook_TerminalTokenIsProjectToken(address terminalToken, address projectToken);
    error JBBuybackHook_Unauthorized(address caller);
    error JBBuybackHook_ZeroProjectToken(uint256 projectId);

    event CashOutSwap(
        uint256 indexed projectId, uint256 cashOutCount, bytes32 indexed poolId, uint256 amountReceived, address caller
    );
    event Mint(uint256 indexed projectId, uint256 leftoverAmount, uint256 tokenCount, address caller);
    event PoolAdded(uint256 indexed projectId, address indexed terminalToken, bytes32 poolId, address caller);
    event Swap(
        uint256 indexed projectId,
        uint256 amountToSwapWith,
        bytes32 indexed poolId,
        uint256 amountReceived,
        address caller
    );
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

    mapping(uint256 projectId => address) public projectTokenOf;
    mapping(uint256 projectId => mapping(address terminalToken => PoolKey)) internal _poolKeyOf;
    mapping(uint256 projectId => mapping(address terminalToken => uint256)) internal _twapWindowOf;

    constructor(
        IJBDirectory directory,
        IJBPrices prices,
        IJBProjects projects,
        IJBTokens tokens,
        address deployer
    ) {
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
        _setPool(projectId, _keyFor(projectId, fee, tickSpacing, terminalToken), twapWindow, terminalToken);
    }

    function initializePoolFor(
        uint256 projectId,
        uint24 fee,
        int24 tickSpacing,
        uint256 twapWindow,
        address terminalToken,
        uint160 sqrtPriceX96
    ) external {
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, SET_BUYBACK_POOL);
        PoolKey memory key = _keyFor(projectId, fee, tickSpacing, terminalToken);
        SandboxPools pools = SandboxPools(poolManager);
        if (!pools.isInitialized(key)) pools.initialize(key, sqrtPriceX96);
        _setPool(projectId, key, twapWindow, terminalToken);
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

    function _keyFor(uint256 projectId, uint24 fee, int24 tickSpacing, address terminalToken)
        private
        view
        returns (PoolKey memory)
    {
        address other = _currencyOf(terminalToken);
        address token = _tokenOf(projectId);
        (address currency0, address currency1) = other < token ? (other, token) : (token, other);
        return PoolKey(currency0, currency1, fee, tickSpacing, oracleHook);
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

    function _currencyOf(address terminalToken) internal pure returns (address) {
        return terminalToken == JBConstants.NATIVE_TOKEN ? address(0) : terminalToken;
    }

    function _isEmpty(PoolKey memory key) internal pure returns (bool) {
        return key.currency1 == address(0);
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
