// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBRulesetDataHook, IJBTerminal, IJBToken} from "./interfaces.sol";
import {ControllerBase} from "./ControllerBase.sol";
import {JBConstants} from "./JBConstants.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";
import {JBRulesetMetadataResolver} from "./JBRulesetMetadataResolver.sol";
import {JBRuleset, JBSplit, JBSplitHookContext} from "./structs.sol";

/// Minting, burning, reserving and moving a project's tokens.
abstract contract ControllerTokens is ControllerBase {
    using JBRulesetMetadataResolver for JBRuleset;
    using SafeERC20 for IERC20;

    error JBController_CreditTransfersPaused(uint256 projectId, uint256 rulesetId);
    error JBController_MintNotAllowedAndNotTerminalOrHook(address caller);
    error JBController_NoReservedTokens(uint256 projectId);
    error JBController_RulesetSetTokenNotAllowed(uint256 projectId);
    error JBController_TerminalTokensNotTransferred(address terminal, address token, uint256 allowance);
    error JBController_ZeroTokensToBurn(uint256 projectId, address holder);
    error JBController_ZeroTokensToMint(uint256 projectId, address beneficiary);

    event BurnTokens(
        address indexed holder, uint256 indexed projectId, uint256 tokenCount, string memo, address caller
    );
    event DeployERC20(
        uint256 indexed projectId, address indexed deployer, bytes32 salt, bytes32 saltHash, address caller
    );
    event MintTokens(
        address indexed beneficiary,
        uint256 indexed projectId,
        uint256 tokenCount,
        uint256 beneficiaryTokenCount,
        string memo,
        uint256 reservedPercent,
        address caller
    );
    event ReservedDistributionReverted(
        uint256 indexed projectId, JBSplit split, uint256 tokenCount, bytes reason, address caller
    );
    event SendReservedTokensToSplit(
        uint256 indexed projectId,
        uint256 indexed rulesetId,
        uint256 indexed groupId,
        JBSplit split,
        uint256 tokenCount,
        address caller
    );
    event SendReservedTokensToSplits(
        uint256 indexed rulesetId,
        uint256 indexed rulesetCycleNumber,
        uint256 indexed projectId,
        address owner,
        uint256 tokenCount,
        uint256 leftoverAmount,
        address caller
    );
    event SplitHookReverted(uint256 indexed projectId, address hook, bytes reason, address caller);

    mapping(uint256 projectId => uint256) public pendingReservedTokenBalanceOf;

    function mintTokensOf(
        uint256 projectId,
        uint256 tokenCount,
        address beneficiary,
        string calldata memo,
        bool useReservedPercent
    ) external returns (uint256 beneficiaryTokenCount) {
        if (tokenCount == 0) revert JBController_ZeroTokensToMint(projectId, beneficiary);
        JBRuleset memory ruleset = _current(projectId);
        bool free = _isTerminal(projectId, _msgSender()) || _mintsByDataHook(projectId, ruleset);
        _requirePermissionUnless(free, PROJECTS.ownerOf(projectId), projectId, JBPermissionIds.MINT_TOKENS);
        if (ruleset.id != 0 && !free && !ruleset.allowOwnerMinting()) {
            revert JBController_MintNotAllowedAndNotTerminalOrHook(_msgSender());
        }
        uint256 reservedPercent = useReservedPercent ? ruleset.reservedPercent() : 0;
        beneficiaryTokenCount = _withoutReserved(tokenCount, reservedPercent);
        if (beneficiaryTokenCount != 0) TOKENS.mintFor(beneficiary, projectId, beneficiaryTokenCount);
        pendingReservedTokenBalanceOf[projectId] += tokenCount - beneficiaryTokenCount;
        emit MintTokens(
            beneficiary, projectId, tokenCount, beneficiaryTokenCount, memo, reservedPercent, _msgSender()
        );
    }

    function burnTokensOf(address holder, uint256 projectId, uint256 tokenCount, string calldata memo) external {
        bool byTerminal = _isTerminal(projectId, _msgSender());
        _requirePermissionUnless(byTerminal, holder, projectId, JBPermissionIds.BURN_TOKENS);
        if (tokenCount == 0) revert JBController_ZeroTokensToBurn(projectId, holder);
        emit BurnTokens(holder, projectId, tokenCount, memo, _msgSender());
        TOKENS.burnFrom(holder, projectId, tokenCount);
    }

    function claimTokensFor(address holder, uint256 projectId, uint256 tokenCount, address beneficiary) external {
        _requirePermissionFrom(holder, projectId, JBPermissionIds.CLAIM_TOKENS);
        TOKENS.claimTokensFor(holder, projectId, tokenCount, beneficiary);
    }

    function transferCreditsFrom(address holder, uint256 projectId, address recipient, uint256 creditCount)
        external
    {
        _requirePermissionFrom(holder, projectId, JBPermissionIds.TRANSFER_CREDITS);
        JBRuleset memory ruleset = _current(projectId);
        if (ruleset.pauseCreditTransfers()) revert JBController_CreditTransfersPaused(projectId, ruleset.id);
        TOKENS.transferCreditsFrom(holder, projectId, recipient, creditCount);
    }

    function deployERC20For(uint256 projectId, string calldata name, string calldata symbol, bytes32 salt)
        external
        returns (IJBToken token)
    {
        _requireOwnerPermission(projectId, JBPermissionIds.DEPLOY_ERC20);
        bytes32 saltHash = salt == 0 ? bytes32(0) : keccak256(abi.encodePacked(_msgSender(), salt));
        emit DeployERC20(projectId, _msgSender(), salt, saltHash, _msgSender());
        return TOKENS.deployERC20For(projectId, name, symbol, saltHash);
    }

    function setTokenFor(uint256 projectId, IJBToken token) external {
        _requireOwnerPermission(projectId, JBPermissionIds.SET_TOKEN);
        if (!_current(projectId).allowSetCustomToken()) revert JBController_RulesetSetTokenNotAllowed(projectId);
        TOKENS.setTokenFor(projectId, token);
    }

    function setTokenMetadataOf(uint256 projectId, string calldata name, string calldata symbol) external {
        _requireOwnerPermission(projectId, JBPermissionIds.SET_TOKEN_METADATA);
        TOKENS.setTokenMetadataFor(projectId, name, symbol);
    }

    function sendReservedTokensToSplitsOf(uint256 projectId) external returns (uint256) {
        uint256 tokenCount = pendingReservedTokenBalanceOf[projectId];
        if (tokenCount == 0) revert JBController_NoReservedTokens(projectId);
        pendingReservedTokenBalanceOf[projectId] = 0;
        address owner = PROJECTS.ownerOf(projectId);
        JBRuleset memory ruleset = _current(projectId);
        TOKENS.mintFor(address(this), projectId, tokenCount);
        uint256 leftover = _sendReservedToSplits(projectId, ruleset.id, tokenCount);
        if (leftover != 0) _sendTokens(projectId, owner, leftover);
        emit SendReservedTokensToSplits(
            ruleset.id, ruleset.cycleNumber, projectId, owner, tokenCount, leftover, _msgSender()
        );
        return tokenCount;
    }

    /// External so that a failing terminal undoes no more than its own split.
    function executePayReservedTokenToTerminal(
        IJBTerminal terminal,
        uint256 projectId,
        IJBToken token,
        uint256 splitTokenCount,
        address beneficiary,
        bytes calldata metadata
    ) external {
        require(msg.sender == address(this));
        IERC20 erc20 = IERC20(address(token));
        erc20.forceApprove(address(terminal), splitTokenCount);
        terminal.pay(projectId, address(token), splitTokenCount, beneficiary, 0, "", metadata);
        uint256 unused = erc20.allowance(address(this), address(terminal));
        if (unused != 0) revert JBController_TerminalTokensNotTransferred(address(terminal), address(token), unused);
    }

    function previewMintOf(uint256 projectId, uint256 tokenCount, bool useReservedPercent)
        external
        view
        returns (uint256 beneficiaryTokenCount, uint256 reservedTokenCount)
    {
        uint256 reservedPercent = useReservedPercent ? _current(projectId).reservedPercent() : 0;
        beneficiaryTokenCount = _withoutReserved(tokenCount, reservedPercent);
        reservedTokenCount = tokenCount - beneficiaryTokenCount;
    }

    function totalTokenSupplyWithReservedTokensOf(uint256 projectId) external view returns (uint256) {
        return TOKENS.totalSupplyOf(projectId) + pendingReservedTokenBalanceOf[projectId];
    }

    /// A data hook mints, and lets others mint, whatever the ruleset uses it for.
    function _mintsByDataHook(uint256 projectId, JBRuleset memory ruleset) private view returns (bool) {
        address hook = ruleset.dataHook();
        if (hook == address(0)) return false;
        return _msgSender() == hook
            || IJBRulesetDataHook(hook).hasMintPermissionFor(projectId, ruleset, _msgSender());
    }

    function _withoutReserved(uint256 tokenCount, uint256 reservedPercent) private pure returns (uint256) {
        uint256 kept = JBConstants.MAX_RESERVED_PERCENT - reservedPercent;
        return Math.mulDiv(tokenCount, kept, JBConstants.MAX_RESERVED_PERCENT);
    }

    function _sendReservedToSplits(uint256 projectId, uint256 rulesetId, uint256 tokenCount)
        private
        returns (uint256 leftover)
    {
        uint256 groupId = JBConstants.RESERVED_TOKENS_GROUP;
        JBSplit[] memory splits = SPLITS.splitsOf(projectId, rulesetId, groupId);
        leftover = tokenCount;
        for (uint256 i; i < splits.length; i++) {
            uint256 count = Math.mulDiv(tokenCount, splits[i].percent, JBConstants.SPLITS_TOTAL_PERCENT);
            if (count == 0) continue;
            leftover -= count;
            _sendReservedToSplit(projectId, groupId, splits[i], count);
            emit SendReservedTokensToSplit(projectId, rulesetId, groupId, splits[i], count, _msgSender());
        }
    }

    function _sendReservedToSplit(uint256 projectId, uint256 groupId, JBSplit memory split, uint256 count) private {
        address fallbackRecipient = split.beneficiary == address(0) ? _msgSender() : split.beneficiary;
        if (address(split.hook) != address(0)) {
            _sendTokens(projectId, address(split.hook), count);
            address sent = address(TOKENS.tokenOf(projectId));
            JBSplitHookContext memory context = JBSplitHookContext(sent, count, 18, projectId, groupId, split);
            try split.hook.processSplitWith(context) {}
            catch (bytes memory reason) {
                emit SplitHookReverted(projectId, address(split.hook), reason, _msgSender());
            }
            return;
        }
        IJBToken token = TOKENS.tokenOf(projectId);
        IJBTerminal terminal;
        if (split.projectId != 0 && address(token) != address(0)) {
            terminal = DIRECTORY.primaryTerminalOf(split.projectId, address(token));
        }
        if (address(terminal) == address(0)) {
            _sendTokens(projectId, fallbackRecipient, count);
            return;
        }
        try this.executePayReservedTokenToTerminal(
            terminal, split.projectId, token, count, fallbackRecipient, abi.encodePacked(projectId)
        ) {} catch (bytes memory reason) {
            emit ReservedDistributionReverted(projectId, split, count, reason, _msgSender());
            _sendTokens(projectId, fallbackRecipient, count);
        }
    }

    function _sendTokens(uint256 projectId, address recipient, uint256 count) private {
        address token = address(TOKENS.tokenOf(projectId));
        if (token == address(0)) TOKENS.transferCreditsFrom(address(this), projectId, recipient, count);
        else IERC20(token).safeTransfer(recipient, count);
    }
}
