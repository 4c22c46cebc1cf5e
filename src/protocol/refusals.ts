import { Refusal } from "../values/Refusal.ts"

export class ContractNotExecutable extends Refusal("CONTRACT_NOT_EXECUTABLE") {}
export class ProjectIdInvalid extends Refusal("PROJECT_ID_INVALID") {}
export class AbiArgumentInvalid extends Refusal("ABI_ARGUMENT_INVALID") {}
export class FunctionSignatureUnknown extends Refusal("FUNCTION_SIGNATURE_UNKNOWN") {}
export class FunctionMutabilityMismatch extends Refusal("FUNCTION_MUTABILITY_MISMATCH") {}
export class DeploymentMissing extends Refusal("DEPLOYMENT_MISSING") {}
export class DeploymentAmbiguous extends Refusal("DEPLOYMENT_AMBIGUOUS") {}
export class DeploymentCodeMissing extends Refusal("DEPLOYMENT_CODE_MISSING") {}
export class RuntimeCodeMismatch extends Refusal("RUNTIME_CODE_MISMATCH") {}
export class TargetUnverified extends Refusal("TARGET_UNVERIFIED") {}
export class ProvenanceUnverified extends Refusal("PROVENANCE_UNVERIFIED") {}
export class AssociationUnsupported extends Refusal("ASSOCIATION_UNSUPPORTED") {}
export class ProjectComponentMissing extends Refusal("PROJECT_COMPONENT_MISSING") {}
export class ProjectAssociationMismatch extends Refusal("PROJECT_ASSOCIATION_MISMATCH") {}
export class CallReverted extends Refusal("CALL_REVERTED") {}
export class RuntimePinsDamaged extends Refusal("CATALOG_INTEGRITY") {}
