package import Deflate
package import WaypostSchema

/// Why the gateway refuses a whole request.
package enum GatewayFault: Error, Sendable, Equatable {
    /// The body is not what the path takes; `line` and `offset` say where, if anything does.
    case malformedBody(String, line: Int? = nil, offset: Int? = nil)

    /// The body cannot be inflated.
    case badEncoding(InflateError)

    /// The body, as it is sent, is larger than `limit` bytes.
    case bodyTooLarge(limit: Int)

    /// The batch has more than `limit` items.
    case tooManyItems(limit: Int, line: Int)

    /// The body's content coding is not one that is understood.
    case unsupportedCoding(String)

    /// A parameter of the request cannot be used.
    case badParameter(name: String, String)

    /// The request asks for something that this version does not do; doing less silently would be worse.
    case notBuilt(String)

    /// The request does not show the secret of an agent.
    case unauthorized

    /// No agent has the secret that a device wants to join with.
    case unknownSecret

    /// No batch has the identifier.
    case unknownBatch(BatchID)

    /// Nothing is at the path.
    case notFound(String)

    /// The path does not take the method.
    case methodNotAllowed(String, allowed: String)

    /// The gateway is going and does not wait for the rest of the request.
    case shuttingDown

    /// The gateway failed.
    case internalError
}
