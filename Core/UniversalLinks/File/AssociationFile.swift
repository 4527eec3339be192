public import WaypostSchema

/// An apple-app-site-association file, as far as it is about links.
///
/// Sources: Apple's documentation of `applinks`, technote 3155, WWDC19 session 717, WWDC20 session 10098.
public struct AssociationFile: Sendable, Equatable {
    /// The largest file that a device reads, in bytes.
    public static let maximumSize = 128 << 10

    /// What stands in a file, and where.
    public struct Placed<Value: Sendable & Equatable>: Sendable, Equatable {
        /// What stands there.
        public var value: Value

        /// The path through the keys to it.
        public var path: String

        /// The line that it starts on, from 1.
        public var line: Int

        /// The byte of the line that it starts at, from 1.
        public var column: Int
    }

    /// An element of `details`: apps, and the rules for them.
    public struct Entry: Sendable, Equatable {
        /// The apps that the rules are for.
        public var apps: [Placed<ApplicationIdentifier>]

        /// The rules in their order, without those that cannot be used.
        public var rules: [Placed<LinkRule>]

        /// What the rules do not say themselves.
        public var defaults: LinkRule
    }

    /// Whether the file says anything of links.
    public internal(set) var hasAppLinks = false

    /// The entries, in the order of the file.
    public internal(set) var entries: [Placed<Entry>] = []

    /// What neither a rule nor its entry says.
    public internal(set) var defaults = LinkRule()

    /// All defaults of the file, its own and those of its entries, where they stand.
    var placedDefaults: [Placed<LinkRule>] = []

    /// The substitution variables by name, each with its values.
    public internal(set) var substitutionVariables: [String: Placed<[Placed<String>]>] = [:]

    /// The apps of the other services (`webcredentials`, `appclips`, `activitycontinuation`), which links make no use of.
    public internal(set) var otherServices: [String: [String]] = [:]

    /// What was odd about the file as it was read, in the order of the file.
    public internal(set) var findings: [AssociationFinding] = []

    init() {}

    /// Reads a file.
    ///
    /// An odd rule costs only itself, and leaves a finding.
    ///
    /// - Throws: `AssociationFailure` where the file is too large, signed or no JSON object, so that there is nothing to
    ///   be had of it.
    /// - Complexity: O(size).
    public init(_ bytes: [UInt8]) throws(AssociationFailure) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(bytes.count) }
        do throws(AssociationFinding) {
            self = try AssociationReader(bytes).file()
        } catch {
            throw AssociationFailure(error)
        }
    }
}

extension AssociationFile {
    /// The rules of all entries.
    var rules: [Placed<LinkRule>] {
        entries.flatMap(\.value.rules)
    }

    /// The same rules, with what their defaults say.
    var wholeRules: [LinkRule] {
        entries.map(\.value).flatMap { entry in
            entry.rules.map { $0.value.completed(by: entry.defaults).completed(by: defaults) }
        }
    }
}

extension AssociationFailure {
    /// The failure for a file of `size` bytes, which is `nil` where the file was not read to its end.
    package static func tooLarge(_ size: Int?) -> AssociationFailure {
        let limit = AssociationFile.maximumSize
        let message =
            if let size {
                "the file has \(size) bytes; a device ignores files of more than \(limit)"
            } else {
                "the file has more than \(limit) bytes, the most that a device reads"
            }
        return AssociationFailure(code: .tooLarge, message: message)
    }

    fileprivate init(_ finding: AssociationFinding) {
        self.init(
            code: finding.code == .signed ? .signed : .notJSON,
            message: "line \(finding.line), column \(finding.column): \(finding.message)"
        )
    }
}
