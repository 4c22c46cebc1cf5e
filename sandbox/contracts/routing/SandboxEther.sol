// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// Ether as an ERC-20, which tells of its wrapping by other events than transfers.
contract SandboxEther {
    error SandboxEther_Insufficient(uint256 available, uint256 needed);

    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    uint8 public constant decimals = 18;

    mapping(address holder => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) external {
        _take(msg.sender, wad);
        Address.sendValue(payable(msg.sender), wad);
        emit Withdrawal(msg.sender, wad);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert SandboxEther_Insufficient(allowed, value);
        allowance[from][msg.sender] = allowed - value;
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        _take(from, value);
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }

    function _take(address from, uint256 value) private {
        if (balanceOf[from] < value) revert SandboxEther_Insufficient(balanceOf[from], value);
        balanceOf[from] -= value;
    }
}
