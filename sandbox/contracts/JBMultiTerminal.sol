// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {
    IJBFeelessAddresses,
    IJBPermissions,
    IJBProjects,
    IJBSplits,
    IJBTerminal,
    IJBTerminalStore,
    IJBTokens,
    IPermit2
} from "./interfaces.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";
import {JBRulesetMetadataResolver} from "./JBRulesetMetadataResolver.sol";
import {JBAccountingContext, JBPayHookSpecification, JBRuleset} from "./structs.sol";
import {TerminalBase} from "./TerminalBase.sol";
import {TerminalMigration} from "./TerminalMigration.sol";

/// Where projects are paid, cashed out, and paid out of, in any token they accept.
contract JBMultiTerminal is TerminalMigration, IJBTerminal {
    using JBRulesetMetadataResolver for JBRuleset;

    event SendPayouts(
        uint256 indexed rulesetId,
        uint256 indexed rulesetCycleNumber,
        uint256 indexed projectId,
        address projectOwner,
        uint256 amount,
        uint256 amountPaidOut,
        uint256 fee,
        uint256 netLeftoverPayoutAmount,
        address caller
    );
    event SetAccountingContext(uint256 indexed projectId, JBAccountingContext context, address caller);
    event UseAllowance(
        uint256 indexed rulesetId,
        uint256 indexed rulesetCycleNumber,
        uint256 indexed projectId,
        address beneficiary,
        address feeBeneficiary,
        uint256 amount,
        uint256 amountPaidOut,
        uint256 netAmountPaidOut,
        string memo,
        address caller
    );

    constructor(
        IJBFeelessAddresses feelessAddresses,
        IJBPermissions permissions,
        IJBProjects projects,
        IJBSplits splits,
        IJBTerminalStore store,
        IJBTokens tokens,
        IPermit2 permit2,
        address trustedForwarder
    ) TerminalBase(feelessAddresses, permissions, projects, splits, store, tokens, permit2, trustedForwarder) {}

    function pay(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        uint256 minReturnedTokens,
        string calldata memo,
        bytes calldata metadata
    ) external payable returns (uint256 beneficiaryTokenCount) {
        uint256 balanceBefore = TOKENS.totalBalanceOf(beneficiary, projectId);
        uint256 accepted = _accept(projectId, token, amount, metadata);
        _pay(projectId, token, accepted, _msgSender(), beneficiary, memo, metadata);
        beneficiaryTokenCount = TOKENS.totalBalanceOf(beneficiary, projectId) - balanceBefore;
        _requireAtLeast(beneficiaryTokenCount, minReturnedTokens);
    }

    function addToBalanceOf(
        uint256 projectId,
        address token,
        uint256 amount,
        bool shouldReturnHeldFees,
        string calldata memo,
        bytes calldata metadata
    ) external payable {
        uint256 accepted = _accept(projectId, token, amount, metadata);
        uint256 returned = shouldReturnHeldFees ? _returnHeldFees(projectId, token, accepted) : 0;
        _added(projectId, token, accepted, returned, memo, metadata);
    }

    function sendPayoutsOf(
        uint256 projectId,
        address token,
        uint256 amount,
        uint256 currency,
        uint256 minTokensPaidOut
    ) external returns (uint256 amountPaidOut) {
        JBRuleset memory ruleset;
        (ruleset, amountPaidOut) = STORE.recordPayoutFor(projectId, token, amount, currency);
        _requireAtLeast(amountPaidOut, minTokensPaidOut);
        if (amountPaidOut == 0) return 0;
        address owner = _ownerOf(projectId);
        if (ruleset.ownerMustSendPayouts()) {
            _requirePermissionFrom(owner, projectId, JBPermissionIds.SEND_PAYOUTS);
        }
        (uint256 leftover, uint256 eligible) = _payoutToSplits(projectId, token, ruleset.id, amountPaidOut);
        uint256 net;
        if (leftover != 0) {
            uint256 ownerEligible;
            (net, ownerEligible) = _payoutToOwner(projectId, token, leftover, payable(owner));
            eligible += ownerEligible;
        }
        uint256 fee = _takeFee(projectId, token, eligible, owner, ruleset.holdFees());
        emit SendPayouts(
            ruleset.id, ruleset.cycleNumber, projectId, owner, amount, amountPaidOut, fee, net, _msgSender()
        );
    }

    function useAllowanceOf(
        uint256 projectId,
        address token,
        uint256 amount,
        uint256 currency,
        uint256 minTokensPaidOut,
        address payable beneficiary,
        address payable feeBeneficiary,
        string calldata memo
    ) external returns (uint256 netAmountPaidOut) {
        _requirePermissionFrom(_ownerOf(projectId), projectId, JBPermissionIds.USE_ALLOWANCE);
        (JBRuleset memory ruleset, uint256 gross) = STORE.recordUsedAllowanceOf(projectId, token, amount, currency);
        bool feeless = _isFeeless(_msgSender(), projectId) || _isFeeless(beneficiary, projectId);
        netAmountPaidOut =
            gross - (feeless ? 0 : _takeFee(projectId, token, gross, feeBeneficiary, ruleset.holdFees()));
        _requireAtLeast(netAmountPaidOut, minTokensPaidOut);
        emit UseAllowance(
            ruleset.id,
            ruleset.cycleNumber,
            projectId,
            beneficiary,
            feeBeneficiary,
            amount,
            gross,
            netAmountPaidOut,
            memo,
            _msgSender()
        );
        if (netAmountPaidOut != 0) _send(beneficiary, token, netAmountPaidOut);
    }

    function addAccountingContextsFor(uint256 projectId, JBAccountingContext[] calldata accountingContexts) external {
        bool byController = _msgSender() == address(_controllerOf(projectId));
        address owner = _ownerOf(projectId);
        _requirePermissionUnless(byController, owner, projectId, JBPermissionIds.ADD_ACCOUNTING_CONTEXTS);
        STORE.recordAccountingContextOf(projectId, accountingContexts);
        for (uint256 i; i < accountingContexts.length; i++) {
            emit SetAccountingContext(projectId, accountingContexts[i], _msgSender());
        }
    }

    function accountingContextsOf(uint256 projectId) external view returns (JBAccountingContext[] memory) {
        return STORE.accountingContextsOf(address(this), projectId);
    }

    function accountingContextForTokenOf(uint256 projectId, address token)
        external
        view
        returns (JBAccountingContext memory)
    {
        return _contextOf(projectId, token);
    }

    function currentSurplusOf(uint256 projectId, address[] calldata tokens, uint256 decimals, uint256 currency)
        external
        view
        returns (uint256)
    {
        IJBTerminal[] memory self = new IJBTerminal[](1);
        self[0] = this;
        return STORE.currentSurplusOf(projectId, self, tokens, decimals, currency);
    }

    function previewPayFor(
        uint256 projectId,
        address token,
        uint256 amount,
        address beneficiary,
        bytes calldata metadata
    )
        external
        view
        returns (
            JBRuleset memory ruleset,
            uint256 beneficiaryTokenCount,
            uint256 reservedTokenCount,
            JBPayHookSpecification[] memory hookSpecifications
        )
    {
        _requireAccepted(projectId, token);
        uint256 tokenCount;
        (ruleset, tokenCount, hookSpecifications) = STORE.previewPayFrom(
            address(this), _msgSender(), _amountOf(projectId, token, amount), projectId, beneficiary, metadata
        );
        (beneficiaryTokenCount, reservedTokenCount) =
            _controllerOf(projectId).previewMintOf(projectId, tokenCount, true);
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId;
    }
}
