// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IJBDirectory, IJBDirectoryAccessControl, IJBPermissions, IJBProjects, IJBTerminal} from "./interfaces.sol";
import {JBPermissioned} from "./JBPermissioned.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";

/// Which controller and which terminals a project uses.
contract JBDirectory is JBPermissioned, Ownable, IJBDirectory {
    error JBDirectory_DuplicateTerminals(IJBTerminal terminal);
    error JBDirectory_InvalidProjectIdInDirectory(uint256 projectId, uint256 limit);
    error JBDirectory_SetControllerNotAllowed(uint256 projectId);
    error JBDirectory_SetTerminalsNotAllowed(uint256 projectId);
    error JBDirectory_TokenNotAccepted(uint256 projectId, address token, IJBTerminal terminal);

    event AddTerminal(uint256 indexed projectId, IJBTerminal indexed terminal, address caller);
    event SetController(uint256 indexed projectId, IERC165 indexed controller, address caller);
    event SetIsAllowedToSetFirstController(address indexed addr, bool indexed isAllowed, address caller);
    event SetPrimaryTerminal(
        uint256 indexed projectId, address indexed token, IJBTerminal indexed terminal, address caller
    );
    event SetTerminals(uint256 indexed projectId, IJBTerminal[] terminals, address caller);

    IJBProjects public immutable PROJECTS;

    mapping(uint256 projectId => IERC165) public controllerOf;
    mapping(address addr => bool) public isAllowedToSetFirstController;
    mapping(uint256 projectId => IJBTerminal[]) private _terminalsOf;
    mapping(uint256 projectId => mapping(address token => IJBTerminal)) private _primaryTerminalOf;

    constructor(IJBPermissions permissions, IJBProjects projects, address owner)
        JBPermissioned(permissions)
        Ownable(owner)
    {
        PROJECTS = projects;
    }

    function setControllerOf(uint256 projectId, IERC165 controller) external {
        if (projectId > PROJECTS.count()) {
            revert JBDirectory_InvalidProjectIdInDirectory(projectId, PROJECTS.count());
        }
        address current = address(controllerOf[projectId]);
        bool setsFirst = current == address(0) && isAllowedToSetFirstController[msg.sender];
        _requirePermissionUnless(setsFirst, PROJECTS.ownerOf(projectId), projectId, JBPermissionIds.SET_CONTROLLER);
        if (current != address(0) && !IJBDirectoryAccessControl(current).setControllerAllowed(projectId)) {
            revert JBDirectory_SetControllerNotAllowed(projectId);
        }
        controllerOf[projectId] = controller;
        emit SetController(projectId, controller, msg.sender);
    }

    function setIsAllowedToSetFirstController(address addr, bool flag) external onlyOwner {
        isAllowedToSetFirstController[addr] = flag;
        emit SetIsAllowedToSetFirstController(addr, flag, msg.sender);
    }

    function setTerminalsOf(uint256 projectId, IJBTerminal[] calldata terminals) external {
        _requireTerminalsSettable(projectId, JBPermissionIds.SET_TERMINALS);
        for (uint256 i; i < terminals.length; i++) {
            for (uint256 j; j < i; j++) {
                if (address(terminals[i]) == address(terminals[j])) revert JBDirectory_DuplicateTerminals(terminals[i]);
            }
        }
        _terminalsOf[projectId] = terminals;
        emit SetTerminals(projectId, terminals, msg.sender);
    }

    function setPrimaryTerminalOf(uint256 projectId, address token, IJBTerminal terminal) external {
        address owner = PROJECTS.ownerOf(projectId);
        _requirePermissionFrom(owner, projectId, JBPermissionIds.SET_PRIMARY_TERMINAL);
        if (!_accepts(terminal, projectId, token)) revert JBDirectory_TokenNotAccepted(projectId, token, terminal);
        if (!isTerminalOf(projectId, terminal)) {
            _requireTerminalsSettable(projectId, JBPermissionIds.SET_TERMINALS);
            _terminalsOf[projectId].push(terminal);
            emit AddTerminal(projectId, terminal, msg.sender);
        }
        _primaryTerminalOf[projectId][token] = terminal;
        emit SetPrimaryTerminal(projectId, token, terminal, msg.sender);
    }

    function terminalsOf(uint256 projectId) external view returns (IJBTerminal[] memory) {
        return _terminalsOf[projectId];
    }

    function isTerminalOf(uint256 projectId, IJBTerminal terminal) public view returns (bool) {
        IJBTerminal[] storage terminals = _terminalsOf[projectId];
        for (uint256 i; i < terminals.length; i++) {
            if (address(terminals[i]) == address(terminal)) return true;
        }
        return false;
    }

    /// The one chosen for the token while it is still a terminal of the project, else the first that accepts the token.
    function primaryTerminalOf(uint256 projectId, address token) external view returns (IJBTerminal) {
        IJBTerminal primary = _primaryTerminalOf[projectId][token];
        if (address(primary) != address(0) && isTerminalOf(projectId, primary)) return primary;
        IJBTerminal[] storage terminals = _terminalsOf[projectId];
        for (uint256 i; i < terminals.length; i++) {
            if (_accepts(terminals[i], projectId, token)) return terminals[i];
        }
        return IJBTerminal(address(0));
    }

    function _accepts(IJBTerminal terminal, uint256 projectId, address token) private view returns (bool) {
        return terminal.accountingContextForTokenOf(projectId, token).token != address(0);
    }

    function _requireTerminalsSettable(uint256 projectId, uint256 permissionId) private view {
        address controller = address(controllerOf[projectId]);
        bool byController = msg.sender == controller;
        _requirePermissionUnless(byController, PROJECTS.ownerOf(projectId), projectId, permissionId);
        if (byController || controller == address(0)) return;
        if (!IJBDirectoryAccessControl(controller).setTerminalsAllowed(projectId)) {
            revert JBDirectory_SetTerminalsNotAllowed(projectId);
        }
    }
}
