public import WaypostSchema

/// A predicate is sent in its canonical form, in a `PackagedPredicate`. The receiver does not trust the sender, so it
/// parses and checks the predicate again.
extension ContentPredicate: Codable {
    /// Creates the predicate in `package`.
    ///
    /// - Throws: `ContentPredicateError` if the package has another version or its format is not allowed.
    public init(_ package: PackagedPredicate) throws(ContentPredicateError) {
        guard package.version == PackagedPredicate.currentVersion else {
            let message = """
                found a predicate packaged in version \(package.version); \
                version \(PackagedPredicate.currentVersion) is accepted
                """
            throw ContentPredicateError(code: .syntax, message: message, offset: 0)
        }
        try self.init(format: package.format)
    }

    /// Returns the predicate in a package that can be sent.
    ///
    /// - Throws: `ContentPredicateError` if its canonical form is longer than a receiver accepts.
    public func packaged() throws(ContentPredicateError) -> PackagedPredicate {
        try Self.checkLength(description.utf8.count, of: "a canonical form", at: 0)
        return PackagedPredicate(format: description)
    }

    /// Unpacks a predicate and checks it.
    public init(from decoder: any Decoder) throws {
        let package = try PackagedPredicate(from: decoder)
        do {
            try self.init(package)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "\(error.message) (\(error.code.rawValue), offset \(error.offset))",
                underlyingError: error
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Packages the predicate.
    public func encode(to encoder: any Encoder) throws {
        do {
            try packaged().encode(to: encoder)
        } catch let error as ContentPredicateError {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: error.message,
                underlyingError: error
            )
            throw EncodingError.invalidValue(self, context)
        }
    }
}
