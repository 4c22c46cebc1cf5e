// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBConstants} from "../JBConstants.sol";
import {IJBController} from "../interfaces.sol";
import {JBAccountingContext} from "../structs.sol";
import {SuckerBase} from "./SuckerBase.sol";
import {ICashOutTerminal} from "./SuckerInterfaces.sol";
import {JBChainAccounting, JBSourceContext} from "./SuckerStructs.sol";

/// What the project's accounts are here, and what the peer last said they are there.
abstract contract SuckerAccounts is SuckerBase {
    error JBSucker_NoTerminalForToken(uint256 projectId, address token);

    JBChainAccounting[] private _peerChainAccounts;

    function peerChainAccountsOf() external view returns (JBChainAccounting[] memory accounts) {
        return _peerChainAccounts;
    }

    function _remember(JBChainAccounting[] calldata accounts) internal {
        delete _peerChainAccounts;
        for (uint256 i; i < accounts.length; i++) {
            JBChainAccounting storage account = _peerChainAccounts.push();
            (account.chainId, account.totalSupply, account.timestamp) =
                (accounts[i].chainId, accounts[i].totalSupply, accounts[i].timestamp);
            for (uint256 j; j < accounts[i].contexts.length; j++) {
                account.contexts.push(accounts[i].contexts[j]);
            }
        }
    }

    /// The native token of the project's own chain; what its terminal holds is all surplus here.
    function _accounts() internal view returns (JBChainAccounting[] memory accounts) {
        accounts = new JBChainAccounting[](1);
        accounts[0].chainId = block.chainid;
        accounts[0].totalSupply = _controller().totalTokenSupplyWithReservedTokensOf(projectId);
        accounts[0].timestamp = block.timestamp;
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
