public import JSONScanning
internal import TextBasics

extension UnknownKey {
    /// A human-readable sentence that names the key, its place, and the key that was probably meant.
    public var sentence: String {
        let place = place.isEmpty ? "" : " in '\(place)'"
        let names = knownNames.joined(separator: ", ")
        let hint = suggestion.map { "did you mean '\($0)'?" } ?? "keys here: \(names.isEmpty ? "none" : names)"
        return "unknown key '\(name)'\(place); \(hint)"
    }

    /// The key that was probably meant, or `nil` if none is similar.
    public var suggestion: String? {
        name.nearest(among: knownNames)
    }
}

/// The error about a key that nothing reads.
public struct UnknownKeyError: Error, Equatable {
    /// The keys, at least one.
    public let keys: [UnknownKey]

    /// A human-readable sentence for each key.
    public var sentence: String {
        keys.map(\.sentence).joined(separator: "; ")
    }
}

extension DocumentDecoder {
    /// Decodes a value that a person wrote, in which a key that nothing reads is a mistake.
    ///
    /// - Throws: `UnknownKeyError`; otherwise the error of the value's initializer, unless an unknown key is similar to
    ///   the one that is missing.
    /// - Complexity: O(length · depth).
    public static func decodeStrictly<Value: Decodable>(_ type: Value.Type, from node: JSONNode) throws -> Value {
        let (result, unknownKeys) = decodeFindingUnknownKeys(type, from: node)
        switch result {
        case .success(let value):
            guard unknownKeys.isEmpty else { throw UnknownKeyError(keys: unknownKeys) }
            return value
        case .failure(DecodingError.keyNotFound(let key, let context)):
            let missingKey = unknownKeys.filter { $0.suggestion == key.stringValue }
            guard missingKey.isEmpty else { throw UnknownKeyError(keys: missingKey) }
            throw DecodingError.keyNotFound(key, context)
        case .failure(let error): throw error
        }
    }
}
