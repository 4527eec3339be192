public import JSONScanning

/// One batch item: its envelope's fields, and its payload as the slice of the bytes where it stands.
///
/// The shape is checked (names, types, what is required); the rules of APNs are not.
public struct ScannedItem: Sendable, Equatable {
    /// A field of the envelope, by its name in JSON.
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

    /// The device token, in hexadecimal where it is right.
    public var token: ScannedText

    /// The topic: a bundle identifier, with a suffix for some push types.
    public var topic: ScannedText

    /// The push type.
    public var pushType: ScannedText?

    /// The priority.
    public var priority: Int?

    /// When the notification expires, in seconds since 1970.
    public var expiration: Int?

    /// The collapse identifier.
    public var collapseID: ScannedText?

    /// The notification's identifier.
    public var id: ScannedText?

    /// Where the payload stands: one whole JSON object.
    public var payload: Range<Int>
}

/// Why an item of a batch cannot be read.
///
/// Offsets count bytes from the start of what was scanned.
public struct ScannedItemError: Error, Equatable, Sendable {
    /// What is wrong with the item.
    public enum Problem: Equatable, Sendable {
        /// The item is not JSON.
        case invalidJSON(JSONError)

        /// The item is JSON, but no object.
        case notAnObject

        /// A required field is absent or `null`.
        case missing(ScannedItem.Field)

        /// A field stands there twice.
        case repeated(ScannedItem.Field)

        /// A field's value is of another type than `expected`.
        case wrongType(ScannedItem.Field, expected: String)
    }

    /// What is wrong.
    public var problem: Problem

    /// The byte where it went wrong.
    public var offset: Int

    /// The field it is about, where it is about one.
    public var field: ScannedItem.Field? {
        switch problem {
        case .invalidJSON, .notAnObject: nil
        case .missing(let field), .repeated(let field), .wrongType(let field, _): field
        }
    }
}

extension ScannedItemError: CustomStringConvertible {
    /// A clause for a person, without the place.
    public var description: String {
        switch problem {
        case .invalidJSON(let error): "not JSON: \(error)"
        case .notAnObject: "an item must be a JSON object such as {\"token\":\"…\",\"topic\":\"…\",\"payload\":{…}}"
        case .missing(let field): "'\(field.rawValue)' is required"
        case .repeated(let field): "'\(field.rawValue)' stands there twice"
        case .wrongType(let field, let expected): "'\(field.rawValue)' must be \(expected)"
        }
    }
}
