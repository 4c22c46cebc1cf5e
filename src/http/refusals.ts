import { Refusal } from "../values/Refusal.ts"

export class EndpointNotFound extends Refusal("ENDPOINT_NOT_FOUND") {}
export class MethodNotAllowed extends Refusal("METHOD_NOT_ALLOWED") {}
export class GetBodyUnsupported extends Refusal("GET_BODY_UNSUPPORTED") {}
export class UnsupportedEncoding extends Refusal("UNSUPPORTED_ENCODING") {}
export class UnsupportedMediaType extends Refusal("UNSUPPORTED_MEDIA_TYPE") {}
export class BodyTooLarge extends Refusal("BODY_TOO_LARGE") {}
export class BodyTimeout extends Refusal("BODY_TIMEOUT") {}
export class WalletPageRequired extends Refusal("WALLET_PAGE_REQUIRED") {}
export class InvalidQuery extends Refusal("INVALID_QUERY") {}
export class MissingParameter extends Refusal("MISSING_PARAMETER") {}
export class InvalidParameter extends Refusal("INVALID_PARAMETER") {}
export class InvalidInput extends Refusal("INVALID_INPUT") {}
export class ResponseTooLarge extends Refusal("RESPONSE_TOO_LARGE") {}
export class RequestTimeout extends Refusal("REQUEST_TIMEOUT") {}
export class ShuttingDown extends Refusal("SHUTTING_DOWN") {}
