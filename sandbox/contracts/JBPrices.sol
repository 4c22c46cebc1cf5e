// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IJBDirectory, IJBPermissions, IJBPriceFeed, IJBPrices, IJBProjects} from "./interfaces.sol";
import {JBControlled} from "./JBControlled.sol";
import {JBPermissioned} from "./JBPermissioned.sol";

/// What one currency costs in another, by feeds of the project or of everyone.
contract JBPrices is JBControlled, JBPermissioned, ERC2771Context, Ownable, IJBPrices {
    error JBPrices_PriceFeedAlreadyAdded(IJBPriceFeed feed);
    error JBPrices_PriceFeedNotFound(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency);
    error JBPrices_ZeroPriceFeed();
    error JBPrices_ZeroPricingCurrency(uint256 projectId, uint256 pricingCurrency);
    error JBPrices_ZeroUnitCurrency(uint256 projectId, uint256 unitCurrency);

    event AddPriceFeed(
        uint256 indexed projectId,
        uint256 indexed pricingCurrency,
        uint256 indexed unitCurrency,
        IJBPriceFeed feed,
        address caller
    );

    uint256 public constant DEFAULT_PROJECT_ID = 0;
    IJBProjects public immutable PROJECTS;

    mapping(uint256 projectId => mapping(uint256 pricingCurrency => mapping(uint256 unitCurrency => IJBPriceFeed[])))
        private _feeds;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBProjects projects,
        address owner,
        address trustedForwarder
    ) JBControlled(directory) JBPermissioned(permissions) ERC2771Context(trustedForwarder) Ownable(owner) {
        PROJECTS = projects;
    }

    function addPriceFeedFor(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, IJBPriceFeed feed)
        external
    {
        if (projectId == DEFAULT_PROJECT_ID) _checkOwner();
        else _requireController(projectId);
        if (pricingCurrency == 0) revert JBPrices_ZeroPricingCurrency(projectId, pricingCurrency);
        if (unitCurrency == 0) revert JBPrices_ZeroUnitCurrency(projectId, unitCurrency);
        if (address(feed) == address(0)) revert JBPrices_ZeroPriceFeed();
        IJBPriceFeed[] storage feeds = _feeds[projectId][pricingCurrency][unitCurrency];
        for (uint256 i; i < feeds.length; i++) {
            if (address(feeds[i]) == address(feed)) revert JBPrices_PriceFeedAlreadyAdded(feed);
        }
        feeds.push(feed);
        emit AddPriceFeed(projectId, pricingCurrency, unitCurrency, feed, _msgSender());
    }

    function priceFeedAt(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, uint256 index)
        external
        view
        returns (IJBPriceFeed feed)
    {
        return _feeds[projectId][pricingCurrency][unitCurrency][index];
    }

    function priceFeedCountFor(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency)
        external
        view
        returns (uint256 count)
    {
        return _feeds[projectId][pricingCurrency][unitCurrency].length;
    }

    function priceFeedFor(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency)
        external
        view
        returns (IJBPriceFeed feed)
    {
        IJBPriceFeed[] storage feeds = _feeds[projectId][pricingCurrency][unitCurrency];
        return feeds.length == 0 ? IJBPriceFeed(address(0)) : feeds[0];
    }

    /// How much of the pricing currency one unit of the unit currency costs.
    function pricePerUnitOf(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, uint256 decimals)
        external
        view
        returns (uint256 price)
    {
        if (pricingCurrency == unitCurrency) return 10 ** decimals;
        price = _quote(projectId, pricingCurrency, unitCurrency, decimals);
        if (price == 0) price = _quote(DEFAULT_PROJECT_ID, pricingCurrency, unitCurrency, decimals);
        if (price == 0) revert JBPrices_PriceFeedNotFound(projectId, pricingCurrency, unitCurrency);
    }

    /// The first direct feed that answers, else the first inverse one; 0 when none does.
    function _quote(uint256 projectId, uint256 pricingCurrency, uint256 unitCurrency, uint256 decimals)
        private
        view
        returns (uint256)
    {
        uint256 direct = _firstAnswer(_feeds[projectId][pricingCurrency][unitCurrency], decimals);
        if (direct != 0) return direct;
        uint256 inverse = _firstAnswer(_feeds[projectId][unitCurrency][pricingCurrency], decimals);
        return inverse == 0 ? 0 : Math.mulDiv(10 ** decimals, 10 ** decimals, inverse);
    }

    function _firstAnswer(IJBPriceFeed[] storage feeds, uint256 decimals) private view returns (uint256) {
        for (uint256 i; i < feeds.length; i++) {
            try feeds[i].currentUnitPrice(decimals) returns (uint256 price) {
                if (price != 0) return price;
            } catch {}
        }
        return 0;
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }
}
