// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {IJBFeelessAddresses, IJBFeelessHook} from "./interfaces.sol";

/// Whom the protocol charges no fee: for one project, or for all under project 0.
contract JBFeelessAddresses is Ownable, ERC165, IJBFeelessAddresses {
    error JBFeelessAddresses_InvalidFeelessHook(IJBFeelessHook hook);

    event SetFeelessAddress(
        uint256 indexed projectId, address indexed addr, bool indexed isFeeless, address caller
    );
    event SetFeelessHook(IJBFeelessHook indexed hook, address caller);

    uint256 private constant WILDCARD_PROJECT_ID = 0;

    IJBFeelessHook public feelessHook;
    mapping(uint256 projectId => mapping(address addr => bool)) private _isFeeless;

    constructor(address owner) Ownable(owner) {}

    function setFeelessAddress(address addr, bool flag) external {
        setFeelessAddressFor(WILDCARD_PROJECT_ID, addr, flag);
    }

    function setFeelessAddressFor(uint256 projectId, address addr, bool flag) public onlyOwner {
        _isFeeless[projectId][addr] = flag;
        emit SetFeelessAddress(projectId, addr, flag, msg.sender);
    }

    function setFeelessHook(IJBFeelessHook hook) external onlyOwner {
        if (address(hook) != address(0) && !hook.supportsInterface(type(IJBFeelessHook).interfaceId)) {
            revert JBFeelessAddresses_InvalidFeelessHook(hook);
        }
        feelessHook = hook;
        emit SetFeelessHook(hook, msg.sender);
    }

    function isFeelessFor(address addr, uint256 projectId, address caller) external view returns (bool) {
        if (_isFeeless[WILDCARD_PROJECT_ID][addr] || _isFeeless[projectId][addr]) return true;
        return address(feelessHook) != address(0) && feelessHook.isFeeless(projectId, addr, caller);
    }
}
