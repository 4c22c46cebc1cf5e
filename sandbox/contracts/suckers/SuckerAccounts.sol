// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBConstants} from "../JBConstants.sol";
import {IJBController} from "../interfaces.sol";
import {JBAccountingContext} from "../structs.sol";
import {SuckerBase} from "./SuckerBase.sol";
import {ICashOutTerminal} from "./SuckerInterfaces.sol";
import {JBChainAccounting, JBPeerChainContext, JBPeerChainValue, JBSourceContext} from "./SuckerStructs.sol";

/// What the project's accounts are here, and what the peer last said they are there.
abstract contract SuckerAccounts is SuckerBase {
    error JBSucker_NoTerminalForToken(uint256 projectId, address token);

    JBChainAccounting[] private _peerChainAccounts;
    mapping(uint256 chainId => uint256) private _placeOf;
    uint128 private _told;

    function peerChainAccountsOf() external view returns (JBChainAccounting[] memory accounts) {
        return _peerChainAccounts;
    }

    /// A token's currency is the last four bytes of its address.
    function peerChainContextsOf(uint256 chainId)
        external
        view
        returns (JBPeerChainContext[] memory contexts, uint256 snapshot)
    {
        JBChainAccounting memory account = _accountOf(chainId);
        contexts = new JBPeerChainContext[](account.contexts.length);
        for (uint256 i; i < contexts.length; i++) {
            JBSourceContext memory told = account.contexts[i];
            contexts[i] =
                JBPeerChainContext(uint32(uint256(told.token)), told.decimals, told.surplus, told.balance);
        }
        return (contexts, account.timestamp);
    }

    function peerChainTotalSupplyOf(uint256 chainId) external view returns (uint256) {
        return _accountOf(chainId).totalSupply;
    }

    function peerChainTotalSupplyValue(uint256 chainId) external view returns (JBPeerChainValue memory) {
        JBChainAccounting memory account = _accountOf(chainId);
        return JBPeerChainValue(account.totalSupply, chainId, account.timestamp);
    }

    function snapshotTimestampOf(uint256 chainId) external view returns (uint256) {
        return _accountOf(chainId).timestamp;
    }

    /// What is older than what is known of a chain is left out.
    function _remember(JBChainAccounting[] calldata accounts) internal {
        for (uint256 i; i < accounts.length; i++) {
            uint256 place = _placeOf[accounts[i].chainId];
            if (place == 0) {
                _peerChainAccounts.push();
                place = _placeOf[accounts[i].chainId] = _peerChainAccounts.length;
            }
            JBChainAccounting storage account = _peerChainAccounts[place - 1];
            if (accounts[i].timestamp <= account.timestamp) continue;
            (account.chainId, account.totalSupply, account.timestamp) =
                (accounts[i].chainId, accounts[i].totalSupply, accounts[i].timestamp);
            delete account.contexts;
            for (uint256 j; j < accounts[i].contexts.length; j++) {
                account.contexts.push(accounts[i].contexts[j]);
            }
        }
    }

    function _accountOf(uint256 chainId) private view returns (JBChainAccounting memory account) {
        uint256 place = _placeOf[chainId];
        if (place != 0) account = _peerChainAccounts[place - 1];
    }

    /// The time in the high half, what was told before in the low one.
    function _sourceTimestamp() internal returns (uint256) {
        return (block.timestamp << 128) | ++_told;
    }

    /// The native token of the project's own chain; what its terminal holds is all surplus here.
    function _accounts(uint256 timestamp) internal view returns (JBChainAccounting[] memory accounts) {
        accounts = new JBChainAccounting[](1);
        accounts[0].chainId = block.chainid;
        accounts[0].totalSupply = _controller().totalTokenSupplyWithReservedTokensOf(projectId);
        accounts[0].timestamp = timestamp;
        accounts[0].contexts = _contexts(ICashOutTerminal(_terminalFor(JBConstants.NATIVE_TOKEN)));
    }

    function _contexts(ICashOutTerminal terminal) private view returns (JBSourceContext[] memory contexts) {
        JBAccountingContext[] memory local = terminal.accountingContextsOf(projectId);
        contexts = new JBSourceContext[](local.length);
        for (uint256 i; i < local.length; i++) {
            address[] memory tokens = new address[](1);
            tokens[0] = local[i].token;
            uint256 surplus = terminal.currentSurplusOf(projectId, tokens, local[i].decimals, local[i].currency);
            contexts[i] = JBSourceContext(
                bytes32(uint256(uint160(tokens[0]))), local[i].decimals, uint128(surplus), uint128(surplus)
            );
        }
    }

    function _controller() internal view returns (IJBController) {
        return IJBController(address(DIRECTORY.controllerOf(projectId)));
    }

    function _terminalFor(address token) internal view returns (address terminal) {
        terminal = address(DIRECTORY.primaryTerminalOf(projectId, token));
        if (terminal == address(0)) revert JBSucker_NoTerminalForToken(projectId, token);
    }
}
