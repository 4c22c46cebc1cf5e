// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {
    IJBCashOutHook,
    IJBProjects,
    IJBRulesetDataHook,
    IJBTerminal
} from "../interfaces.sol";
import {JBCashOuts} from "../JBCashOuts.sol";
import {JBConstants} from "../JBConstants.sol";
import {
    JBAfterCashOutRecordedContext,
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBPayHookSpecification,
    JBPermissionsData,
    JBRuleset
} from "../structs.sol";
import {
    IJBSuckerRegistry,
    IREVController,
    IREVDeployer,
    IREVDirectory,
    IREVOwner,
    IREVPermissions
} from "./REVInterfaces.sol";
import {REVPermissionIds} from "./REVPermissionIds.sol";
import {REVOwnerAutoIssuance, REVOwnerGrant, REVOwnerInit} from "./REVStructs.sol";

/// Owns every revnet, and is the data hook of all its stages.
contract REVOwner is ERC2771Context, IERC721Receiver, IREVOwner, IJBCashOutHook, IJBRulesetDataHook {
    using SafeERC20 for IERC20;

    error REVOwner_AlreadyInitialized(address deployer);
    error REVOwner_CashOutDelayNotFinished(uint256 cashOutDelay, uint256 blockTimestamp);
    error REVOwner_NativeFeeValueMismatch(uint256 expected, uint256 actual);
    error REVOwner_NothingToAutoIssue(uint256 revnetId, uint256 stageId, address beneficiary);
    error REVOwner_StageNotStarted(uint256 stageId);
    error REVOwner_Unauthorized(address caller, address expectedCaller);
    error REVOwner_UnauthorizedOperator(uint256 revnetId, address caller);

    event AutoIssue(
        uint256 indexed revnetId, uint256 indexed stageId, address indexed beneficiary, uint256 count, address caller
    );
    event InitializeRevnet(uint256 indexed revnetId, address caller);
    event ReplaceOperator(uint256 indexed revnetId, address indexed newOperator, address caller);

        address public immutable BUYBACK_HOOK;
    IREVDirectory public immutable DIRECTORY;
    uint256 public immutable FEE_REVNET_ID;
    address public immutable LOANS;
    IREVPermissions public immutable PERMISSIONS;
    IJBProjects public immutable PROJECTS;
    IJBSuckerRegistry public immutable SUCKER_REGISTRY;
    address private immutable DEPLOYER_ADDRESS;

    /// Told by the deployer, because no project has a controller yet when this contract is made.
    IREVController public CONTROLLER;
    address public deployer;
    mapping(uint256 revnetId => mapping(uint256 stageId => mapping(address beneficiary => uint256 count))) public
        amountToAutoIssue;
    mapping(uint256 revnetId => uint256 cashOutDelay) public cashOutDelayOf;
    mapping(uint256 revnetId => IJBRulesetDataHook tiered721Hook) public tiered721HookOf;
    mapping(uint256 revnetId => address) private _operatorOf;
    mapping(uint256 revnetId => uint8[]) private _operatorPermissionIdsOf;

    constructor(
        address buybackHook,
        IREVDirectory directory,
        uint256 feeRevnetId,
        IJBSuckerRegistry suckerRegistry,
        address loans,
        address trustedForwarder,
        address deployerAddress
    ) ERC2771Context(trustedForwarder) {
        BUYBACK_HOOK = buybackHook;
        DIRECTORY = directory;
        FEE_REVNET_ID = feeRevnetId;
        LOANS = loans;
        PERMISSIONS = directory.PERMISSIONS();
        PROJECTS = directory.PROJECTS();
        SUCKER_REGISTRY = suckerRegistry;
        DEPLOYER_ADDRESS = deployerAddress;
        _grant(0, loans, REVPermissionIds.USE_ALLOWANCE);
        _grant(0, address(suckerRegistry), REVPermissionIds.MAP_SUCKER_TOKEN);
    }

    function setDeployer(address newDeployer) external {
        if (_msgSender() != DEPLOYER_ADDRESS) revert REVOwner_Unauthorized(_msgSender(), DEPLOYER_ADDRESS);
        if (deployer != address(0)) revert REVOwner_AlreadyInitialized(deployer);
        deployer = newDeployer;
        _grant(0, newDeployer, REVPermissionIds.DEPLOY_SUCKERS);
        CONTROLLER = IREVDeployer(newDeployer).CONTROLLER();
    }

    function initializeRevnet(uint256 revnetId, REVOwnerInit calldata init) external {
        if (_msgSender() != deployer) revert REVOwner_Unauthorized(_msgSender(), deployer);
        cashOutDelayOf[revnetId] = init.cashOutDelay;
        tiered721HookOf[revnetId] = IJBRulesetDataHook(init.tiered721Hook);
        for (uint256 i; i < init.autoIssuances.length; i++) {
            REVOwnerAutoIssuance calldata issuance = init.autoIssuances[i];
            amountToAutoIssue[revnetId][issuance.stageId][issuance.beneficiary] += issuance.count;
        }
        for (uint256 i; i < init.extraGrants.length; i++) {
            REVOwnerGrant calldata grant = init.extraGrants[i];
            _grant(revnetId, grant.operator, grant.permissionId);
        }
        _operatorPermissionIdsOf[revnetId] = REVPermissionIds.ofEveryOperator();
        for (uint256 i; i < init.extraOperatorPermissionIds.length; i++) {
            _operatorPermissionIdsOf[revnetId].push(uint8(init.extraOperatorPermissionIds[i]));
        }
        _setOperator(revnetId, init.operator);
        emit InitializeRevnet(revnetId, _msgSender());
    }

    function setOperatorOf(uint256 revnetId, address newOperator) external {
        if (!isOperatorOf(revnetId, _msgSender())) revert REVOwner_UnauthorizedOperator(revnetId, _msgSender());
        emit ReplaceOperator(revnetId, newOperator, _msgSender());
        PERMISSIONS.setPermissionsFor(
            address(this), JBPermissionsData(_msgSender(), uint64(revnetId), new uint8[](0))
        );
        _setOperator(revnetId, newOperator);
    }

    /// Mints what a stage promised to a beneficiary on this chain, once that stage has started.
    function autoIssueFor(uint256 revnetId, uint256 stageId, address beneficiary) external {
        (JBRuleset memory stage,) = CONTROLLER.getRulesetOf(revnetId, stageId);
        if (stage.start > block.timestamp) revert REVOwner_StageNotStarted(stageId);
        uint256 count = amountToAutoIssue[revnetId][stageId][beneficiary];
        if (count == 0) revert REVOwner_NothingToAutoIssue(revnetId, stageId, beneficiary);
        amountToAutoIssue[revnetId][stageId][beneficiary] = 0;
        emit AutoIssue(revnetId, stageId, beneficiary, count, _msgSender());
        CONTROLLER.mintTokensOf(revnetId, count, beneficiary, "", false);
    }

    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications)
    {
        IJBRulesetDataHook shop = tiered721HookOf[context.projectId];
        if (address(shop) == address(0)) return (context.weight, hookSpecifications);
        return shop.beforePayRecordedWith(context);
    }

    /// A part of the tokens is cashed out for the fee revnet, unless there is no tax or nowhere to pay the fee; suckers neither wait nor pay.
    function beforeCashOutRecordedWith(JBBeforeCashOutRecordedContext calldata context)
        external
        view
        returns (
            uint256 cashOutTaxRate,
            uint256 cashOutCount,
            uint256 totalSupply,
            uint256 effectiveSurplusValue,
            JBCashOutHookSpecification[] memory hookSpecifications
        )
    {
        cashOutCount = context.cashOutCount;
        totalSupply = context.totalSupply;
        effectiveSurplusValue = context.surplus.value;
        if (SUCKER_REGISTRY.isSuckerOf(context.projectId, context.holder)) {
            return (0, cashOutCount, totalSupply, effectiveSurplusValue, hookSpecifications);
        }
        uint256 delay = cashOutDelayOf[context.projectId];
        if (delay > block.timestamp) revert REVOwner_CashOutDelayNotFinished(delay, block.timestamp);
        cashOutTaxRate = context.cashOutTaxRate;
        IJBTerminal terminal = DIRECTORY.primaryTerminalOf(FEE_REVNET_ID, context.surplus.token);
        if (cashOutTaxRate == 0 || context.beneficiaryIsFeeless || address(terminal) == address(0)) {
            return (cashOutTaxRate, cashOutCount, totalSupply, effectiveSurplusValue, hookSpecifications);
        }
        cashOutCount -= Math.mulDiv(cashOutCount, JBConstants.FEE, JBConstants.MAX_FEE);
        hookSpecifications = new JBCashOutHookSpecification[](1);
        hookSpecifications[0] =
            JBCashOutHookSpecification(this, false, _feeFor(context, cashOutCount), abi.encode(terminal));
    }

    /// A fee that the fee revnet does not take goes back to where it came from.
    function afterCashOutRecordedWith(JBAfterCashOutRecordedContext calldata context) external payable {
        address token = context.forwardedAmount.token;
        uint256 amount = context.forwardedAmount.value;
        IJBTerminal terminal = abi.decode(context.hookMetadata, (IJBTerminal));
        bool native = token == JBConstants.NATIVE_TOKEN;
        if (native && msg.value != amount) revert REVOwner_NativeFeeValueMismatch(amount, msg.value);
        if (!native) {
            IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
            IERC20(token).forceApprove(address(terminal), amount);
        }
        bytes memory payer = abi.encodePacked(context.projectId);
        try terminal.pay{value: msg.value}(FEE_REVNET_ID, token, amount, context.holder, 0, "", payer) {
            if (!native) IERC20(token).forceApprove(address(terminal), 0);
        } catch {
            if (!native) IERC20(token).forceApprove(address(terminal), 0);
            _giveBack(context.projectId, token, amount, native);
        }
    }

    function _giveBack(uint256 projectId, address token, uint256 amount, bool native) private {
        if (!native) IERC20(token).forceApprove(msg.sender, amount);
        IJBTerminal(msg.sender).addToBalanceOf{value: msg.value}(
            projectId, token, amount, false, "", abi.encodePacked(FEE_REVNET_ID)
        );
        if (!native) IERC20(token).forceApprove(msg.sender, 0);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external view returns (bytes4) {
        if (msg.sender != address(PROJECTS)) revert REVOwner_Unauthorized(msg.sender, address(PROJECTS));
        return IERC721Receiver.onERC721Received.selector;
    }

    function hasMintPermissionFor(uint256 revnetId, JBRuleset calldata ruleset, address addr)
        external
        view
        returns (bool)
    {
        return addr == LOANS || SUCKER_REGISTRY.isSuckerOf(revnetId, addr);
    }

    function supportsInterface(bytes4 interfaceId) external view returns (bool flag) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IJBRulesetDataHook).interfaceId
            || interfaceId == type(IJBCashOutHook).interfaceId;
    }

    function isOperatorOf(uint256 revnetId, address addr) public view returns (bool) {
        return addr != address(0) && _operatorOf[revnetId] == addr;
    }

    function _feeFor(JBBeforeCashOutRecordedContext calldata context, uint256 keptCount)
        private
        pure
        returns (uint256)
    {
        uint256 rate = context.cashOutTaxRate;
        uint256 surplus = context.surplus.value;
        uint256 reclaimed = JBCashOuts.cashOutFrom(surplus, keptCount, context.totalSupply, rate);
        return JBCashOuts.cashOutFrom(
            surplus - reclaimed, context.cashOutCount - keptCount, context.totalSupply - keptCount, rate
        );
    }

    function _setOperator(uint256 revnetId, address operator) private {
        _operatorOf[revnetId] = operator;
        if (operator == address(0)) return;
        PERMISSIONS.setPermissionsFor(
            address(this), JBPermissionsData(operator, uint64(revnetId), _operatorPermissionIdsOf[revnetId])
        );
    }

    function _grant(uint256 revnetId, address operator, uint8 permissionId) private {
        PERMISSIONS.setPermissionsFor(address(this), REVPermissionIds.only(operator, uint64(revnetId), permissionId));
    }
}
