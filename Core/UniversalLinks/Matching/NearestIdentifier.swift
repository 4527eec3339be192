internal import TextBasics
package import WaypostSchema

/// The identifier in a file that an app was probably meant by, and how it differs.
package struct NearestIdentifier: Equatable {
    /// The identifier in the file.
    package let identifier: ApplicationIdentifier

    /// The difference, as a clause about the identifier.
    package let difference: String

    /// Returns the identifier for an app that the file does not name, or `nil` if none is similar.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - identifiers: those of the file.
    /// - Returns: the identifier, and how it differs.
    static func nearest(to app: ApplicationIdentifier, among identifiers: [ApplicationIdentifier]) -> Self? {
        let identifiers = identifiers.prefix(500)
        // A difference that explains more comes first.
        for difference in differences {
            if let identifier = identifiers.first(where: { difference.holds(app.rawValue, $0.rawValue) }) {
                return Self(identifier: identifier, difference: difference.text)
            }
        }
        return app.rawValue.nearest(among: identifiers.map(\.rawValue)).map { nearest in
            Self(identifier: ApplicationIdentifier(rawValue: nearest), difference: "which is spelled differently")
        }
    }

    /// Returns a sentence about an app that a file does not name.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - nearest: the nearest identifier in the file, or `nil` if there is none.
    /// - Returns: a human-readable sentence.
    static func explanation(ofMissing app: ApplicationIdentifier, nearest: NearestIdentifier?) -> String {
        let missing = "the file has no entry for \(app.rawValue.safe(for: .excerpt))"
        guard let nearest else { return missing }
        return "\(missing), but one for '\(nearest.identifier.rawValue.safe(for: .excerpt))', \(nearest.difference)"
    }

    private typealias Difference = (text: String, holds: @Sendable (_ app: String, _ identifier: String) -> Bool)

    private static let differences: [Difference] = [
        ("which has a blank", { app, identifier in identifier.filter { !$0.isWhitespace } == app }),
        ("which has no blank", { app, identifier in app.filter { !$0.isWhitespace } == identifier }),
        ("which differs in case, and case counts", { app, identifier in identifier.lowercased() == app.lowercased() }),
        ("which lacks the prefix", { app, identifier in app.drop { $0 != "." }.dropFirst() == identifier }),
        (
            "which has a prefix",
            { app, identifier in !app.isEmpty && identifier.drop { $0 != "." }.dropFirst() == app }
        ),
        (
            "whose * stands for nothing: a file names each app",
            { app, identifier in
                guard let star = identifier.firstIndex(of: "*") else { return false }
                return app.hasPrefix(identifier[..<star]) && app.hasSuffix(identifier[star...].dropFirst())
            }
        ),
        (
            "which has other punctuation, such as + or _ instead of a period",
            { app, identifier in letters(of: app) == letters(of: identifier) }
        ),
        (
            "which has another prefix",
            { app, identifier in
                let bundleIdentifier = app.drop { $0 != "." }
                return !bundleIdentifier.isEmpty && identifier.drop { $0 != "." } == bundleIdentifier
            }
        ),
    ]

    /// Returns the letters and digits of an identifier in lower case.
    private static func letters(of identifier: String) -> String {
        identifier.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
