// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Ether for whoever owns a project, with a word to it. What is in the jar stays there: it is an example.
contract TipJar {
    mapping(uint256 projectId => uint256) public tipsOf;

    event Tipped(uint256 indexed projectId, address indexed tipper, uint256 amount, string words);

    error TipJar_Nothing();

    function tip(uint256 projectId, string calldata words) external payable {
        if (msg.value == 0) revert TipJar_Nothing();
        tipsOf[projectId] += msg.value;
        emit Tipped(projectId, msg.sender, msg.value, words);
    }
}
