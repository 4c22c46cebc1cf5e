// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {IJBDirectory, IJBPermissions, IJBPrices, IJBProjects} from "../interfaces.sol";
import {IJBSucker, IJBSuckerDeployer} from "./SuckerInterfaces.sol";
import {
    JBChainAccounting,
    JBSourceContext,
    JBSuckerDeployerConfig,
    JBSuckerState,
    JBSuckersPair
} from "./SuckerStructs.sol";

/// Which suckers a project has, who may make them, and what each message to another chain costs.
contract JBSuckerRegistry is JBPermissioned, Ownable, ERC2771Context {
    event SuckerDeployedFor(uint256 projectId, address sucker, JBSuckerDeployerConfig configuration, address caller);
    event SuckerDeployerAllowed(address deployer, address caller);
    event SuckerDeployerRemoved(address deployer, address caller);
    event SuckerDeprecated(uint256 projectId, address sucker, address caller);
    event TokenMappingAllowed(address localToken, uint256 remoteChainId, bytes32 remoteToken, address caller);
    event TokenMappingRemoved(address localToken, uint256 remoteChainId, bytes32 remoteToken, address caller);
    event ToRemoteFeeChanged(uint256 oldFee, uint256 newFee, address caller);

    error JBSuckerRegistry_FeeExceedsMax(uint256 fee, uint256 max);
    error JBSuckerRegistry_InvalidDeployer(address deployer);
    error JBSuckerRegistry_SuckerDoesNotBelongToProject(uint256 projectId, address sucker);
    error JBSuckerRegistry_SuckerIsNotDeprecated(address sucker, uint8 suckerState);

    error JBSuckerRegistry_TokenMappingNotAllowed(address localToken, uint256 remoteChainId, bytes32 remoteToken);

    uint256 public constant MAX_TO_REMOTE_FEE = 0.001 ether;
    uint8 private constant DEPLOY_SUCKERS = 33;

    IJBDirectory public immutable DIRECTORY;
    IJBPrices public immutable PRICES;
    IJBProjects public immutable PROJECTS;

    uint256 public toRemoteFee = MAX_TO_REMOTE_FEE;
    mapping(address deployer => bool) public suckerDeployerIsAllowed;
    mapping(bytes32 mappingHash => bool) private _allowedMapping;
    mapping(bytes32 mappingHash => bool) private _removedMapping;
    mapping(uint256 projectId => address[]) private _all;
    mapping(uint256 projectId => mapping(address addr => bool)) private _belongs;
    mapping(uint256 projectId => mapping(address addr => bool)) private _isRemoved;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBPrices prices,
        address initialOwner,
        address trustedForwarder
    ) JBPermissioned(permissions) Ownable(initialOwner) ERC2771Context(trustedForwarder) {
        DIRECTORY = directory;
        PRICES = prices;
        PROJECTS = directory.PROJECTS();
    }

    function allowSuckerDeployer(address deployer) external onlyOwner {
        _allow(deployer);
    }

    function allowSuckerDeployers(address[] calldata deployers) external onlyOwner {
        for (uint256 i; i < deployers.length; i++) {
            _allow(deployers[i]);
        }
    }

    function allowTokenMapping(address localToken, uint256 remoteChainId, bytes32 remoteToken) external onlyOwner {
        bytes32 hashed = keccak256(abi.encode(localToken, remoteChainId, remoteToken));
        (_allowedMapping[hashed], _removedMapping[hashed]) = (true, false);
        emit TokenMappingAllowed(localToken, remoteChainId, remoteToken, _msgSender());
    }

    function removeTokenMapping(address localToken, uint256 remoteChainId, bytes32 remoteToken) external onlyOwner {
        bytes32 hashed = keccak256(abi.encode(localToken, remoteChainId, remoteToken));
        (_allowedMapping[hashed], _removedMapping[hashed]) = (false, true);
        emit TokenMappingRemoved(localToken, remoteChainId, remoteToken, _msgSender());
    }

    function removeSuckerDeployer(address deployer) external onlyOwner {
        suckerDeployerIsAllowed[deployer] = false;
        emit SuckerDeployerRemoved(deployer, _msgSender());
    }

    function setToRemoteFee(uint256 fee) external onlyOwner {
        if (fee > MAX_TO_REMOTE_FEE) revert JBSuckerRegistry_FeeExceedsMax(fee, MAX_TO_REMOTE_FEE);
        emit ToRemoteFeeChanged(toRemoteFee, fee, _msgSender());
        toRemoteFee = fee;
    }

    function deploySuckersFor(uint256 projectId, bytes32 salt, JBSuckerDeployerConfig[] calldata configurations)
        external
        returns (address[] memory suckers)
    {
        address sender = _msgSender();
        _requirePermissionFrom(PROJECTS.ownerOf(projectId), projectId, DEPLOY_SUCKERS);
        suckers = new address[](configurations.length);
        for (uint256 i; i < configurations.length; i++) {
            suckers[i] = _deploy(projectId, keccak256(abi.encode(sender, salt)), configurations[i]);
            emit SuckerDeployedFor(projectId, suckers[i], configurations[i], sender);
        }
    }

    function removeDeprecatedSucker(uint256 projectId, address sucker) external {
        if (!_isActive(projectId, sucker)) {
            revert JBSuckerRegistry_SuckerDoesNotBelongToProject(projectId, sucker);
        }
        JBSuckerState state = IJBSucker(sucker).state();
        if (state != JBSuckerState.DEPRECATED) {
            revert JBSuckerRegistry_SuckerIsNotDeprecated(sucker, uint8(state));
        }
        _isRemoved[projectId][sucker] = true;
        emit SuckerDeprecated(projectId, sucker, _msgSender());
    }

    /// A removed sucker still belongs to its project, for claims may be outstanding.
    function isSuckerOf(uint256 projectId, address addr) external view returns (bool) {
        return _belongs[projectId][addr];
    }

    function allSuckersOf(uint256 projectId) external view returns (address[] memory suckers) {
        return _all[projectId];
    }

    function suckerPairsOf(uint256 projectId) external view returns (JBSuckersPair[] memory pairs) {
        address[] memory suckers = suckersOf(projectId);
        pairs = new JBSuckersPair[](suckers.length);
        for (uint256 i; i < suckers.length; i++) {
            IJBSucker sucker = IJBSucker(suckers[i]);
            pairs[i] = JBSuckersPair(suckers[i], sucker.peer(), sucker.peerChainId());
        }
    }

    function requireTokenMappingAllowed(address localToken, uint256 remoteChainId, bytes32 remoteToken) external view {
        if (!tokenMappingIsAllowed(localToken, remoteChainId, remoteToken)) {
            revert JBSuckerRegistry_TokenMappingNotAllowed(localToken, remoteChainId, remoteToken);
        }
    }

    /// Of each other chain what the first sucker that leads there was told; this chain's accounts are not remote.
    function peerChainAccountsOf(uint256 projectId, uint256 exceptChainId)
        public
        view
        returns (JBChainAccounting[] memory accounts)
    {
        address[] memory suckers = suckersOf(projectId);
        accounts = new JBChainAccounting[](suckers.length);
        uint256 count;
        for (uint256 i; i < suckers.length; i++) {
            JBChainAccounting[] memory told = IJBSucker(suckers[i]).peerChainAccountsOf();
            for (uint256 j; j < told.length && count < accounts.length; j++) {
                if (told[j].chainId == block.chainid || told[j].chainId == exceptChainId) continue;
                if (!_isAmong(accounts, count, told[j].chainId)) accounts[count++] = told[j];
            }
        }
        assembly ("memory-safe") {
            mstore(accounts, count)
        }
    }

    function remoteTotalSupplyOf(uint256 projectId) external view returns (uint256 totalSupply) {
        JBChainAccounting[] memory accounts = peerChainAccountsOf(projectId, block.chainid);
        for (uint256 i; i < accounts.length; i++) {
            totalSupply += accounts[i].totalSupply;
        }
    }

    function totalRemoteBalanceOf(uint256 projectId, uint256 currency, uint256 decimals)
        external
        view
        returns (uint256 balance)
    {
        (balance,) = _remote(projectId, currency, decimals);
    }

    function totalRemoteSurplusOf(uint256 projectId, uint256 currency, uint256 decimals)
        external
        view
        returns (uint256 surplus)
    {
        (, surplus) = _remote(projectId, currency, decimals);
    }

    /// As deployed: the native token may be carried to itself on every chain.
    function tokenMappingIsAllowed(address localToken, uint256 remoteChainId, bytes32 remoteToken)
        public
        view
        returns (bool)
    {
        bytes32 hashed = keccak256(abi.encode(localToken, remoteChainId, remoteToken));
        bool isNative = localToken == JBConstants.NATIVE_TOKEN;
        bool isItself = remoteToken == bytes32(uint256(uint160(localToken)));
        return _allowedMapping[hashed] || (isNative && isItself && !_removedMapping[hashed]);
    }

    function suckersOf(uint256 projectId) public view returns (address[] memory suckers) {
        address[] memory all = _all[projectId];
        suckers = new address[](all.length);
        uint256 count;
        for (uint256 i; i < all.length; i++) {
            if (_isActive(projectId, all[i])) suckers[count++] = all[i];
        }
        assembly ("memory-safe") {
            mstore(suckers, count)
        }
    }

    function _allow(address deployer) private {
        suckerDeployerIsAllowed[deployer] = true;
        emit SuckerDeployerAllowed(deployer, _msgSender());
    }

    function _deploy(uint256 projectId, bytes32 salt, JBSuckerDeployerConfig calldata configuration)
        private
        returns (address sucker)
    {
        address deployer = configuration.deployer;
        if (!suckerDeployerIsAllowed[deployer]) revert JBSuckerRegistry_InvalidDeployer(deployer);
        sucker = IJBSuckerDeployer(deployer).createForSender(projectId, salt, configuration.peer);
        _all[projectId].push(sucker);
        _belongs[projectId][sucker] = true;
        IJBSucker(sucker).mapTokens(configuration.mappings);
    }

    function _isAmong(JBChainAccounting[] memory accounts, uint256 count, uint256 chainId) private pure returns (bool) {
        for (uint256 i; i < count; i++) {
            if (accounts[i].chainId == chainId) return true;
        }
        return false;
    }

    /// In one currency and its decimals; a token's own currency is the last four bytes of its address.
    function _remote(uint256 projectId, uint256 currency, uint256 decimals)
        private
        view
        returns (uint256 balance, uint256 surplus)
    {
        JBChainAccounting[] memory accounts = peerChainAccountsOf(projectId, block.chainid);
        for (uint256 i; i < accounts.length; i++) {
            for (uint256 j; j < accounts[i].contexts.length; j++) {
                JBSourceContext memory context = accounts[i].contexts[j];
                uint256 own = uint32(uint256(context.token));
                uint256 price = PRICES.pricePerUnitOf(projectId, own, currency, 18);
                balance += _converted(context.balance, context.decimals, decimals, price);
                surplus += _converted(context.surplus, context.decimals, decimals, price);
            }
        }
    }

    function _converted(uint256 amount, uint256 from, uint256 to, uint256 price) private pure returns (uint256) {
        return Math.mulDiv(amount * 10 ** to, 1e18, price * 10 ** from);
    }

    function _isActive(uint256 projectId, address sucker) private view returns (bool) {
        return _belongs[projectId][sucker] && !_isRemoved[projectId][sucker];
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }
}
