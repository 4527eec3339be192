public import WaypostSchema

/// The parts of an apple-app-site-association file that are about links.
///
/// Sources: Apple's documentation of `applinks`, technote 3155, WWDC19 session 717, WWDC20 session 10098.
public struct AssociationFile: Sendable, Equatable {
    /// The maximum size of a file that a device reads, in bytes.
    public static let maximumSize = 128 << 10

    /// A value in a file, with its place.
    public struct Placed<Value: Sendable & Equatable>: Sendable, Equatable {
        /// The value.
        public var value: Value

        /// The path of keys to the value.
        public var path: String

        /// The line where it starts, from 1.
        public var line: Int

        /// The byte of the line where it starts, from 1.
        public var column: Int
    }

    /// The position of a rule in a file.
    struct RulePosition: Hashable, Sendable {
        var line: Int
        var column: Int
    }

    /// An element of `details`: apps and their rules.
    public struct Entry: Sendable, Equatable {
        /// The apps that the rules apply to.
        public var apps: [Placed<ApplicationIdentifier>]

        /// The valid rules, in the order of the file.
        public var rules: [Placed<LinkRule>]

        /// The defaults for members that the rules do not have.
        public var defaults: LinkRule
    }

    /// Whether the file has an `applinks` object.
    public internal(set) var hasAppLinks = false

    /// The entries, in the order of the file.
    public internal(set) var entries: [Placed<Entry>] = []

    /// The defaults for members that neither a rule nor its entry has.
    public internal(set) var defaults = LinkRule()

    /// All defaults of the file and of its entries, with their places.
    var placedDefaults: [Placed<LinkRule>] = []

    /// The positions of the rules and defaults that have parts that were not read, such as an unknown key.
    var partlyReadRules: Set<RulePosition> = []

    /// The names of the substitution variables, with their places.
    var variableNames: [String: Placed<String>] = [:]

    /// The substitution variables by name, each with its values.
    public internal(set) var substitutionVariables: [String: Placed<[Placed<String>]>] = [:]

    /// The apps of the other services (`webcredentials`, `appclips`, `activitycontinuation`), which links do not use.
    public internal(set) var otherServices: [String: [String]] = [:]

    /// The problems found while the file was read, in the order of the file.
    public internal(set) var findings: [AssociationFinding] = []

    init() {}

    /// Parses a file.
    ///
    /// An invalid rule is ignored and reported as a finding.
    ///
    /// - Throws: `AssociationFailure` if the file is too large, signed or not a JSON object, so that nothing in it can
    ///   be used.
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

extension AssociationFile.Placed {
    /// The position of a rule, as a key.
    var position: AssociationFile.RulePosition {
        AssociationFile.RulePosition(line: line, column: column)
    }
}

extension AssociationFile {
    /// The rules of all entries.
    var rules: [Placed<LinkRule>] {
        entries.flatMap(\.value.rules)
    }

    /// The rules of all entries, with their defaults applied.
    var effectiveRules: [LinkRule] {
        entries.map(\.value).flatMap { entry in
            entry.rules.map { $0.value.applyingDefaults(entry.defaults).applyingDefaults(defaults) }
        }
    }
}

extension AssociationFailure {
    /// Returns the failure for a file of `size` bytes, or of unknown size if the file was not read to its end.
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
