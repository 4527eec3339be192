package import Deflate
package import GatewayStore
package import LocalService
package import WaypostSchema

/// Why the gateway refuses a whole request.
package enum GatewayError: Error, Sendable, Equatable {
    /// An error that every service may answer with.
    case request(RequestError)

    /// The body cannot be inflated.
    case badEncoding(InflateError)

    /// The batch has more than `limit` items.
    case tooManyItems(limit: Int, line: Int)

    /// The body's content coding is not one that is understood.
    case unsupportedCoding(String)

    /// The request does not show the secret of an agent.
    case unauthorized

    /// The request does not show the administrative token, which is found in `place`.
    case adminTokenRequired(place: String)

    /// No agent has the secret that a device wants to join with.
    case unknownSecret

    /// No batch has the identifier.
    case unknownBatch(BatchID)

    /// The log knows no notification that has the identifier.
    case unknownNotification(NotificationID)

    /// There is no key with the identifier.
    case unknownKey(ProviderKeyID)

    /// No fault with the identifier waits for sends.
    case unknownFault(FaultID)

    /// The namespace has no such channel.
    case unknownChannel(ChannelID)

    /// The device cannot be subscribed to the channels, for a reason that it can change.
    case cannotSubscribe(String)

    /// No device has the token.
    case unknownDevice(DeviceToken)

    /// A device has the token that another asks for.
    case tokenTaken(DeviceToken)

    /// The topic's notifications are lossless, whatever is asked for.
    case alwaysLossless(Topic)

    /// The idempotency key was used for another body.
    case idempotencyConflict(String)

    /// A batch that is taken whole or not at all is not taken, because of these items.
    case batchRefused([ItemResult], of: Int)

    /// The clock cannot be moved.
    case clockIsSystem

    /// As many batches are being taken in as may be.
    case tooManyRequests(limit: Int)

    /// More is being taken in than the gateway keeps in mind.
    case overloaded

    /// The store could not do what it was asked.
    case store(StoreError)
}

/// The errors that every service may answer with, as a gateway throws them.
extension GatewayError {
    /// Returns the error of a body that is not what the path takes.
    package static func malformedBody(_ message: String, line: Int? = nil, offset: Int? = nil) -> Self {
        .request(.malformedBody(message, line: line, offset: offset))
    }

    /// Returns the error of a body that is larger than `limit` bytes.
    package static func bodyTooLarge(limit: Int) -> Self {
        .request(.bodyTooLarge(limit: limit))
    }

    /// Returns the error of a parameter that cannot be used.
    package static func badParameter(name: String, _ message: String) -> Self {
        .request(.badParameter(name: name, message))
    }

    /// Returns the error of a path at which there is nothing.
    package static func notFound(_ path: String) -> Self {
        .request(.notFound(path, document: "docs/openapi.yaml"))
    }

    /// Returns the error of a path that does not take the method.
    package static func methodNotAllowed(_ method: String, allowed: String) -> Self {
        .request(.methodNotAllowed(method, allowed: allowed))
    }

    /// The gateway is shutting down and does not wait for the rest of the request.
    package static var shuttingDown: Self {
        .request(.shuttingDown)
    }

    /// The gateway failed.
    package static var internalError: Self {
        .request(.internalError)
    }
}
