// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IJBDirectory, IJBPayerTracker, IJBProjects, IJBTerminal} from "../interfaces.sol";
import {JBAccountingContext, JBRulesetConfig, JBTerminalConfig} from "../structs.sol";
import {
    IJB721TiersHookDeployer,
    IJBOwnable,
    IJBSuckerRegistry,
    IREVController,
    IREVDeployer,
    IREVOwner,
    IREVPermissions
} from "./REVInterfaces.sol";
import {REVShops} from "./REVShops.sol";
import {REVStages} from "./REVStages.sol";
import {
    REVConfig,
    REVCroptopAllowedPost,
    REVDeploy721TiersHookConfig,
    REVOwnerAutoIssuance,
    REVOwnerGrant,
    REVOwnerInit,
    REVSuckerDeploymentConfig
} from "./REVStructs.sol";

/// Creates revnets: projects whose stages are queued at once and which nobody but REVOwner owns.
contract REVDeployer is REVStages, ERC2771Context, IERC721Receiver, IERC165, IJBPayerTracker, IREVDeployer {
    error REVDeployer_ProjectCreationFeeNotNeeded(uint256 revnetId, uint256 value);
    error REVDeployer_Unauthorized(uint256 revnetId, address caller);

    event DeployRevnet(
        uint256 indexed revnetId,
        REVConfig configuration,
        JBTerminalConfig[] terminalConfigurations,
        REVSuckerDeploymentConfig suckerDeploymentConfiguration,
        JBRulesetConfig[] rulesetConfigurations,
        bytes32 encodedConfigurationHash,
        address caller
    );
    event DeploySuckers(
        uint256 indexed revnetId,
        bytes32 encodedConfigurationHash,
        REVSuckerDeploymentConfig suckerDeploymentConfiguration,
        address caller
    );
    event SetCashOutDelay(uint256 indexed revnetId, uint256 cashOutDelay, address caller);
    event StoreAutoIssuanceAmount(
        uint256 indexed revnetId, uint256 indexed stageId, address indexed beneficiary, uint256 count, address caller
    );

    struct Deployment {
        uint256 revnetId;
        bytes32 configurationHash;
        JBTerminalConfig[] terminals;
        JBRulesetConfig[] rulesets;
    }

    uint256 public constant CASH_OUT_DELAY = 7 days;
    uint24 public constant DEFAULT_BUYBACK_POOL_FEE = 10_000;
    int24 public constant DEFAULT_BUYBACK_TICK_SPACING = 200;
    uint32 public constant DEFAULT_BUYBACK_TWAP_WINDOW = 2 days;

    address public immutable BUYBACK_HOOK;
    IREVController public immutable CONTROLLER;
    IJBDirectory public immutable DIRECTORY;
    uint256 public immutable FEE_REVNET_ID;
    IJB721TiersHookDeployer public immutable HOOK_DEPLOYER;
    address public immutable LOANS;
    IJBTerminal public immutable MULTI_TERMINAL;
    IREVOwner public immutable OWNER;
    IREVPermissions public immutable PERMISSIONS;
    IJBProjects public immutable PROJECTS;
    address public immutable PUBLISHER;
    address public immutable ROUTER_TERMINAL_REGISTRY;
    IJBSuckerRegistry public immutable SUCKER_REGISTRY;

    mapping(uint256 revnetId => bytes32 hashedEncodedConfiguration) public hashedEncodedConfigurationOf;
    address public transient originalPayer;

    constructor(
        IREVController controller,
        IJBTerminal multiTerminal,
        address routerTerminalRegistry,
        IJBSuckerRegistry suckerRegistry,
        uint256 feeRevnetId,
        IJB721TiersHookDeployer hookDeployer,
        address publisher,
        address buybackHook,
        address loans,
        address trustedForwarder,
        address owner
    ) ERC2771Context(trustedForwarder) {
        CONTROLLER = controller;
        DIRECTORY = controller.DIRECTORY();
        PERMISSIONS = controller.PERMISSIONS();
        PROJECTS = controller.PROJECTS();
        MULTI_TERMINAL = multiTerminal;
        ROUTER_TERMINAL_REGISTRY = routerTerminalRegistry;
        SUCKER_REGISTRY = suckerRegistry;
        FEE_REVNET_ID = feeRevnetId;
        HOOK_DEPLOYER = hookDeployer;
        PUBLISHER = publisher;
        BUYBACK_HOOK = buybackHook;
        LOANS = loans;
        OWNER = IREVOwner(owner);
    }

    /// The shop that a revnet gets without asking for one is empty and sells for the base currency.
    function deployFor(
        uint256 revnetId,
        REVConfig calldata configuration,
        JBAccountingContext[] calldata accountingContextsToAccept,
        REVSuckerDeploymentConfig calldata suckerDeploymentConfiguration
    ) external payable returns (uint256, address hook) {
        return _deploy(
            revnetId,
            configuration,
            accountingContextsToAccept,
            suckerDeploymentConfiguration,
            REVShops.emptyFor(configuration)
        );
    }

    function deployFor(
        uint256 revnetId,
        REVConfig calldata configuration,
        JBAccountingContext[] calldata accountingContextsToAccept,
        REVSuckerDeploymentConfig calldata suckerDeploymentConfiguration,
        REVDeploy721TiersHookConfig memory tiered721HookConfiguration,
        REVCroptopAllowedPost[] calldata allowedPosts
    ) external payable returns (uint256, address hook) {
        return _deploy(
            revnetId,
            configuration,
            accountingContextsToAccept,
            suckerDeploymentConfiguration,
            tiered721HookConfiguration
        );
    }

    function onERC721Received(address, address, uint256, bytes calldata) external view returns (bytes4) {
        if (msg.sender != address(PROJECTS)) revert REVDeployer_Unauthorized(0, msg.sender);
        return IERC721Receiver.onERC721Received.selector;
    }

    function supportsInterface(bytes4 interfaceId) external view returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IERC721Receiver).interfaceId;
    }

    function _deploy(
        uint256 revnetId,
        REVConfig calldata configuration,
        JBAccountingContext[] calldata contexts,
        REVSuckerDeploymentConfig calldata suckers,
        REVDeploy721TiersHookConfig memory shop
    ) private returns (uint256, address) {
        Deployment memory made;
        made.revnetId = _projectFor(revnetId);
        made.configurationHash = _hashOf(configuration);
        made.terminals = _terminalsOf(MULTI_TERMINAL, contexts, ROUTER_TERMINAL_REGISTRY);
        made.rulesets = _rulesetsOf(configuration, address(OWNER), MULTI_TERMINAL, contexts);
        REVOwnerInit memory init = _initOf(made, configuration, shop);
        _launch(made, configuration, init);
        PROJECTS.safeTransferFrom(address(this), address(OWNER), made.revnetId);
        if (suckers.salt != 0) _deploySuckers(made, suckers);
        emit DeployRevnet(
            made.revnetId,
            configuration,
            made.terminals,
            suckers,
            made.rulesets,
            made.configurationHash,
            _msgSender()
        );
        init.tiered721Hook = _deployShop(made, shop);
        OWNER.initializeRevnet(made.revnetId, init);
        return (made.revnetId, init.tiered721Hook);
    }

    function _deploySuckers(Deployment memory made, REVSuckerDeploymentConfig calldata suckers) private {
        emit DeploySuckers(made.revnetId, made.configurationHash, suckers, _msgSender());
        SUCKER_REGISTRY.deploySuckersFor(
            made.revnetId, _saltOf(made, suckers.salt), suckers.deployerConfigurations
        );
    }

    /// A project that exists comes from its owner.
    function _projectFor(uint256 revnetId) private returns (uint256 projectId) {
        if (revnetId != 0) {
            if (msg.value != 0) revert REVDeployer_ProjectCreationFeeNotNeeded(revnetId, msg.value);
            PROJECTS.safeTransferFrom(_msgSender(), address(this), revnetId);
            return revnetId;
        }
        originalPayer = _msgSender();
        projectId = PROJECTS.createFor{value: msg.value}(address(this));
        originalPayer = address(0);
    }

    function _launch(Deployment memory made, REVConfig calldata configuration, REVOwnerInit memory init) private {
        hashedEncodedConfigurationOf[made.revnetId] = made.configurationHash;
        CONTROLLER.launchRulesetsFor(
            made.revnetId, configuration.description.uri, made.rulesets, made.terminals, ""
        );
        init.cashOutDelay = _cashOutDelayOf(made.revnetId, configuration.stageConfigurations[0].startsAtOrAfter);
        bytes32 salt = _saltOf(made, configuration.description.salt);
        CONTROLLER.deployERC20For(
            made.revnetId, configuration.description.name, configuration.description.ticker, salt
        );
    }

    function _deployShop(Deployment memory made, REVDeploy721TiersHookConfig memory shop) private returns (address) {
        IJBOwnable hook =
            HOOK_DEPLOYER.deployHookFor(made.revnetId, REVShops.withAllFlags(shop), _saltOf(made, shop.salt));
        hook.transferOwnershipToProject(made.revnetId);
        return address(hook);
    }

    function _initOf(
        Deployment memory made,
        REVConfig calldata configuration,
        REVDeploy721TiersHookConfig memory shop
    ) private returns (REVOwnerInit memory init) {
        init.operator = configuration.operator;
        init.extraOperatorPermissionIds = REVShops.permissionIdsOf(shop);
        init.autoIssuances = _autoIssuancesOf(configuration);
        init.extraGrants = new REVOwnerGrant[](0);
        for (uint256 i; i < init.autoIssuances.length; i++) {
            REVOwnerAutoIssuance memory issuance = init.autoIssuances[i];
            emit StoreAutoIssuanceAmount(
                made.revnetId, issuance.stageId, issuance.beneficiary, issuance.count, _msgSender()
            );
        }
    }

    /// A first stage that has started elsewhere gives the chains time to get into step.
    function _cashOutDelayOf(uint256 revnetId, uint256 start) private returns (uint256 cashOutDelay) {
        if (start == 0 || start >= block.timestamp) return 0;
        cashOutDelay = block.timestamp + CASH_OUT_DELAY;
        emit SetCashOutDelay(revnetId, cashOutDelay, _msgSender());
    }

    function _saltOf(Deployment memory made, bytes32 salt) private view returns (bytes32) {
        return keccak256(abi.encode(salt, made.configurationHash, _msgSender()));
    }
}
