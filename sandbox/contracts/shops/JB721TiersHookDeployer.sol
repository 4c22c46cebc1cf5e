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
    event HookDeployed(uint256 indexed projectId, IJB721TiersHook hook, address caller);

    IJBAddressRegistry public immutable ADDRESS_REGISTRY;
    IJB721TiersHook public immutable HOOK;
    IJB721TiersHookStore public immutable STORE;

    /// A contract's own creations count from one.
    uint256 private _nonce = 1;

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
        newHook = salt == 0 ? _clone() : _cloneAt(keccak256(abi.encode(_msgSender(), salt)));
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
        emit HookDeployed(projectId, newHook, _msgSender());
    }

    function _clone() private returns (IJB721TiersHook) {
        bytes memory creation = _creationCode();
        address made;
        assembly ("memory-safe") {
            made := create(0, add(creation, 32), mload(creation))
        }
        ADDRESS_REGISTRY.registerAddress(address(this), _nonce++);
        return IJB721TiersHook(made);
    }

    function _cloneAt(bytes32 salt) private returns (IJB721TiersHook) {
        bytes memory creation = _creationCode();
        address made;
        assembly ("memory-safe") {
            made := create2(0, add(creation, 32), mload(creation), salt)
        }
        require(made != address(0));
        _nonce++;
        ADDRESS_REGISTRY.registerAddress(address(this), salt, creation);
        return IJB721TiersHook(made);
    }

    /// The 44 bytes of Solady's LibClone behind the 9 bytes that put them there.
    function _creationCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"602c3d8160093d39f33d3d3d3d363d3d37363d73", address(HOOK), hex"5af43d3d93803e602a57fd5bf3"
        );
    }
}
