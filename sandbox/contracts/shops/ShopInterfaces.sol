// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBRulesetConfig, JBTerminalConfig} from "../structs.sol";
import {
    JB721InitTiersConfig,
    JB721Tier,
    JB721TierConfig,
    JB721TiersHookFlags,
    JBDeploy721TiersHookConfig
} from "./ShopStructs.sol";

/// Only what one shop contract calls on another is declared here.

interface IJBAddressRegistry {
    function registerAddress(address deployer, uint256 nonce) external;
    function registerAddress(address deployer, bytes32 salt, bytes calldata bytecode) external;
}

interface IJB721TokenUriResolver {
    function tokenUriOf(address nft, uint256 tokenId) external view returns (string memory tokenUri);
}

interface IJB721TiersHook {
    function initialize(
        uint256 initialProjectId,
        string memory name,
        string memory symbol,
        string memory baseUri,
        address tokenUriResolver,
        string memory contractUri,
        JB721InitTiersConfig memory tiersConfig,
        JB721TiersHookFlags memory flags
    ) external;
    function transferOwnership(address newOwner) external;
    function transferOwnershipToProject(uint256 projectId) external;
}

interface IJB721TiersHookStore {
    function flagsOf(address hook) external view returns (JB721TiersHookFlags memory);
    function balanceOf(address hook, address owner) external view returns (uint256);
    function tierOfTokenId(address hook, uint256 tokenId, bool includeResolvedUri)
        external
        view
        returns (JB721Tier memory tier);
    function tokenUriResolverOf(address hook) external view returns (address);
    function recordAddTiers(JB721TierConfig[] calldata tiersToAdd) external returns (uint256[] memory tierIds);
    function recordFlags(JB721TiersHookFlags calldata flags) external;
    function recordMint(uint256 amount, uint16[] calldata tierIds, bool isOwnerMint)
        external
        returns (uint256[] memory tokenIds, uint256 leftoverAmount, uint256 restrictedCost);
    function recordMintReservesFor(uint256 tierId, uint256 count) external returns (uint256[] memory tokenIds);
    function recordSetDiscountPercentOf(uint256 tierId, uint256 discountPercent) external;
    function reserveBeneficiaryOf(address hook, uint256 tierId) external view returns (address);
    function tierPricingOf(address hook, uint256 id)
        external
        view
        returns (uint104 price, uint32 splitPercent, uint8 discountPercent);
    function recordRemoveTierIds(uint256[] calldata tierIds) external;
    function recordSetTokenUriResolver(address resolver) external;
    function recordTransferForTier(uint256 tierId, address from, address to) external;
}

interface IJB721TiersHookDeployer {
    function deployHookFor(
        uint256 projectId,
        JBDeploy721TiersHookConfig memory deployTiersHookConfig,
        bytes32 salt
    ) external returns (IJB721TiersHook newHook);
}

interface IJBRulesetLauncher {
    function launchRulesetsFor(
        uint256 projectId,
        string calldata projectUri,
        JBRulesetConfig[] calldata rulesetConfigurations,
        JBTerminalConfig[] calldata terminalConfigurations,
        string calldata memo
    ) external returns (uint256 rulesetId);
}
