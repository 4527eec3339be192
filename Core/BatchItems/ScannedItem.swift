public import JSONScanning

/// One batch item: the fields of its envelope, and its payload as a range of the scanned bytes.
///
/// The names, the types and the required fields are validated; the rules of APNs are not.
public struct ScannedItem: Sendable, Equatable {
    /// A field of the envelope, named as in JSON.
    public enum Field: String, Sendable, CaseIterable {
        case token
        case topic
        case pushType
        case priority
        case expiration
        case collapseID
        case id
        case payload
    }

    /// The device token; hexadecimal if it is valid.
    public var token: ScannedString

    /// The topic: a bundle identifier, with a suffix for some push types.
    public var topic: ScannedString

    /// The push type.
    public var pushType: ScannedString?

    /// The priority.
    public var priority: Int?

    /// The time at which the notification expires, in seconds since 1970.
    public var expiration: Int?

    /// The collapse identifier.
    public var collapseID: ScannedString?

    /// The notification's identifier.
    public var id: ScannedString?

    /// The range of the payload, which is one JSON object.
    public var payload: Range<Int>
}

/// The reason why an item of a batch cannot be read.
///
/// Offsets are bytes from the start of the scanned bytes.
public struct ScannedItemError: Error, Equatable, Sendable {
    /// The kinds of errors in an item.
    public enum Problem: Equatable, Sendable {
        /// The item is not JSON.
        case invalidJSON(JSONError)

        /// The item is JSON, but not an object.
        case notAnObject

        /// A required field is absent or `null`.
        case missing(ScannedItem.Field)

        /// A field appears twice.
        case repeated(ScannedItem.Field)

        /// The type of a field's value is not `expected`.
        case wrongType(ScannedItem.Field, expected: String)
    }

    /// The kind of error.
    public var problem: Problem

    /// The offset of the byte at which the error is.
    public var offset: Int

    /// The field in error, or `nil` if the error is not about a field.
    public var field: ScannedItem.Field? {
        switch problem {
        case .invalidJSON, .notAnObject: nil
        case .missing(let field), .repeated(let field), .wrongType(let field, _): field
        }
    }
}

extension ScannedItemError: CustomStringConvertible {
    /// A human-readable clause, without the position.
    public var description: String {
        switch problem {
        case .invalidJSON(let error): "not JSON: \(error)"
        case .notAnObject: "an item must be a JSON object such as {\"token\":\"…\",\"topic\":\"…\",\"payload\":{…}}"
        case .missing(let field): "'\(field.rawValue)' is required"
        case .repeated(let field): "'\(field.rawValue)' appears twice"
        case .wrongType(let field, let expected): "'\(field.rawValue)' must be \(expected)"
        }
    }
}
