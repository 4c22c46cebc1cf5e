// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {IJBDirectory, IJBPermissions, IJBTokens} from "../interfaces.sol";
import {IJBSucker} from "./SuckerInterfaces.sol";

/// Makes suckers as clones of one; where they stand follows from the caller and the salt.
abstract contract SuckerDeployerBase is JBPermissioned, ERC2771Context {
    error JBSuckerDeployer_AlreadyConfigured(address singleton, bool layerSpecificConfigurationIsSet);
    error JBSuckerDeployer_DeployerIsNotConfigured(address singleton);
    error JBSuckerDeployer_InvalidLayerSpecificConfiguration(address configurator);
    error JBSuckerDeployer_LayerSpecificNotConfigured(address configurator);
    error JBSuckerDeployer_Unauthorized(address caller, address expected);

    IJBDirectory public immutable DIRECTORY;
    address public immutable LAYER_SPECIFIC_CONFIGURATOR;
    IJBTokens public immutable TOKENS;

    address public singleton;
    mapping(address sucker => bool) public isSucker;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBTokens tokens,
        address configurator,
        address trustedForwarder
    ) JBPermissioned(permissions) ERC2771Context(trustedForwarder) {
        DIRECTORY = directory;
        LAYER_SPECIFIC_CONFIGURATOR = configurator;
        TOKENS = tokens;
    }

    modifier onlyConfigurator() {
        address sender = _msgSender();
        if (sender != LAYER_SPECIFIC_CONFIGURATOR) {
            revert JBSuckerDeployer_Unauthorized(sender, LAYER_SPECIFIC_CONFIGURATOR);
        }
        _;
    }

    function configureSingleton(address _singleton) external onlyConfigurator {
        if (singleton != address(0)) revert JBSuckerDeployer_AlreadyConfigured(singleton, _isConfigured());
        if (!_isConfigured()) revert JBSuckerDeployer_LayerSpecificNotConfigured(LAYER_SPECIFIC_CONFIGURATOR);
        singleton = _singleton;
    }

    function createForSender(uint256 localProjectId, bytes32 salt, bytes32 peer) external returns (address sucker) {
        if (singleton == address(0)) revert JBSuckerDeployer_DeployerIsNotConfigured(singleton);
        sucker = _clone(keccak256(abi.encode(_msgSender(), salt)));
        isSucker[sucker] = true;
        IJBSucker(sucker).initialize(localProjectId, peer);
    }

    /// Whether it knows its transport, which it is told once.
    function _isConfigured() internal view virtual returns (bool);

    function _requireConfigurable(bool isComplete) internal view {
        if (_isConfigured()) revert JBSuckerDeployer_AlreadyConfigured(singleton, true);
        if (!isComplete) revert JBSuckerDeployer_InvalidLayerSpecificConfiguration(LAYER_SPECIFIC_CONFIGURATOR);
    }

    /// The 44 bytes of Solady's LibClone behind the 9 bytes that put them there.
    function _clone(bytes32 salt) private returns (address sucker) {
        bytes memory creation = abi.encodePacked(
            hex"602c3d8160093d39f33d3d3d3d363d3d37363d73", singleton, hex"5af43d3d93803e602a57fd5bf3"
        );
        assembly ("memory-safe") {
            sucker := create2(0, add(creation, 32), mload(creation), salt)
            if iszero(sucker) { revert(0, 0) }
        }
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
