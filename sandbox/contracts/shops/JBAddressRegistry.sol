// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Context} from "@openzeppelin/contracts/utils/Context.sol";

/// Who deployed a contract, proved by the address that its deployer and nonce, or salt and code, give.
contract JBAddressRegistry is Context {
    error JBAddressRegistry_AddressNotDeployed(address addr);
    error JBAddressRegistry_AlreadyRegistered(address addr);
    error JBAddressRegistry_NonceTooLarge(uint256 nonce);

    event AddressRegistered(address indexed addr, address indexed deployer, address caller);

    uint256 private constant MAX_NONCE = 0xffff;

    mapping(address addr => address deployer) public deployerOf;

    function registerAddress(address deployer, uint256 nonce) external {
        _register(_created(deployer, nonce), deployer);
    }

    function registerAddress(address deployer, bytes32 salt, bytes calldata bytecode) external {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), deployer, salt, keccak256(bytecode)));
        _register(address(uint160(uint256(hash))), deployer);
    }

    function _register(address addr, address deployer) private {
        if (addr.code.length == 0) revert JBAddressRegistry_AddressNotDeployed(addr);
        if (deployerOf[addr] != address(0)) revert JBAddressRegistry_AlreadyRegistered(addr);
        deployerOf[addr] = deployer;
        emit AddressRegistered(addr, deployer, _msgSender());
    }

    /// The address is the hash of the RLP list of deployer and nonce.
    function _created(address deployer, uint256 nonce) private pure returns (address) {
        if (nonce > MAX_NONCE) revert JBAddressRegistry_NonceTooLarge(nonce);
        bytes memory list;
        if (nonce == 0) list = abi.encodePacked(hex"d694", deployer, hex"80");
        else if (nonce <= 0x7f) list = abi.encodePacked(hex"d694", deployer, uint8(nonce));
        else if (nonce <= 0xff) list = abi.encodePacked(hex"d794", deployer, hex"81", uint8(nonce));
        else list = abi.encodePacked(hex"d894", deployer, hex"82", uint16(nonce));
        return address(uint160(uint256(keccak256(list))));
    }
}
