// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {
    IJB721TiersHook,
    IJB721TiersHookDeployer,
    IJB721TiersHookStore,
    IJBAddressRegistry
} from "./ShopInterfaces.sol";
import {JBDeploy721TiersHookConfig} from "./ShopStructs.sol";

/// Makes the clones of the hook, and proves them in the address registry.
contract JB721TiersHookDeployer is ERC2771Context, IJB721TiersHookDeployer {
    error DeploymentFailed();

    event HookDeployed(uint256 indexed projectId, IJB721TiersHook hook, address caller);

    IJBAddressRegistry public immutable ADDRESS_REGISTRY;
    IJB721TiersHook public immutable HOOK;
    IJB721TiersHookStore public immutable STORE;

    uint256 private _created;

    constructor(
        IJB721TiersHook hook,
        IJB721TiersHookStore store,
        IJBAddressRegistry addressRegistry,
        address trustedForwarder
    ) ERC2771Context(trustedForwarder) {
        ADDRESS_REGISTRY = addressRegistry;
        HOOK = hook;
        STORE = store;
    }

    /// The clone's address depends on who asks, unless there is no salt.
    function deployHookFor(
        uint256 projectId,
        JBDeploy721TiersHookConfig memory deployTiersHookConfig,
        bytes32 salt
    ) external returns (IJB721TiersHook newHook) {
        bytes memory creation = _creationCode();
        bytes32 ownSalt = salt == 0 ? bytes32(0) : keccak256(abi.encode(_msgSender(), salt));
        newHook = IJB721TiersHook(_made(creation, ownSalt));
        emit HookDeployed(projectId, newHook, _msgSender());
        newHook.initialize(
            projectId,
            deployTiersHookConfig.name,
            deployTiersHookConfig.symbol,
            deployTiersHookConfig.baseUri,
            deployTiersHookConfig.tokenUriResolver,
            deployTiersHookConfig.contractUri,
            deployTiersHookConfig.tiersConfig,
            deployTiersHookConfig.flags
        );
        newHook.transferOwnership(_msgSender());
        if (ownSalt == 0) ADDRESS_REGISTRY.registerAddress(address(this), _created);
        else ADDRESS_REGISTRY.registerAddress(address(this), ownSalt, creation);
    }

    /// A contract's own creations count from one.
    function _made(bytes memory creation, bytes32 salt) private returns (address made) {
        assembly ("memory-safe") {
            switch salt
            case 0 { made := create(0, add(creation, 32), mload(creation)) }
            default { made := create2(0, add(creation, 32), mload(creation), salt) }
        }
        if (made == address(0)) revert DeploymentFailed();
        _created++;
    }

    /// The 44 bytes of Solady's LibClone behind the 9 bytes that put them there.
    function _creationCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"602c3d8160093d39f33d3d3d3d363d3d37363d73", address(HOOK), hex"5af43d3d93803e602a57fd5bf3"
        );
    }
}
