public import WaypostSchema

/// A check for errors and probable mistakes in an association file.
public enum AssociationCheck {
    /// The maximum size of a file to check, in bytes: twice the maximum that a device reads.
    private static let maximumSize = 2 * AssociationFile.maximumSize

    /// The number of rules above which a note is reported.
    private static let manyRulesThreshold = 500

    private static let adviceOnManyRules = "substitution variables and wildcards save rules"

    /// Returns the findings about a file, in the order of the file.
    ///
    /// - Complexity: O(size); for unreachable rules O(rules²), within a fixed budget.
    public static func findings(in bytes: [UInt8]) -> [AssociationFinding] {
        findings(in: bytes, for: nil)
    }

    /// Returns the findings about a file, with an error if it does not name `app`.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - app: the app; `nil` to check only the file.
    /// - Returns: the findings, in the order of the file.
    package static func findings(in bytes: [UInt8], for app: ApplicationIdentifier?) -> [AssociationFinding] {
        let sizeFindings = Self.sizeFindings(bytes.count)
        guard bytes.count <= maximumSize else { return sizeFindings }
        do throws(AssociationFinding) {
            let file = try AssociationReader(bytes).file()
            var findings = sizeFindings + file.findings + Self.findings(in: file)
            if let app, let finding = AppCheck.finding(aboutMissing: app, in: file) { findings.append(finding) }
            return findings.sortedByPosition
        } catch {
            return sizeFindings + [error]
        }
    }

    /// Returns the reason that no app can have an application identifier; `nil` if one can.
    ///
    /// - Returns: a human-readable sentence, with the identifier that was probably meant.
    package static func problem(with identifier: ApplicationIdentifier) -> String? {
        guard let problem = IdentifierProblem(identifier.rawValue), problem.severity == .error else { return nil }
        return problem.message + (problem.correction.map { "; did you mean '\($0)'?" } ?? "")
    }

    private static func findings(in file: AssociationFile) -> [AssociationFinding] {
        let rules = CheckedRule.all(of: file)
        var findings = AppCheck.findings(in: file)
        let rulesAndDefaults = rules + CheckedRule.defaults(of: file)
        findings += rulesAndDefaults.flatMap(PatternCheck.findings)
        findings += VariableCheck(file, rulesAndDefaults).findings
        findings += ReachabilityCheck(file, rules).findings
        if rules.count > manyRulesThreshold {
            let message = "there are \(rules.count) rules, which are tried one after another; \(adviceOnManyRules)"
            findings.append(.wholeFile(.note, .tooManyRules, message: message))
        }
        return findings
    }

    private static func sizeFindings(_ size: Int) -> [AssociationFinding] {
        let limit = AssociationFile.maximumSize
        if size > limit {
            let message = "the file has \(size) bytes; a device ignores more than \(limit); \(adviceOnManyRules)"
            return [.wholeFile(.error, .tooLarge, message: message)]
        }
        guard size > limit / 4 * 3 else { return [] }
        let message = "the file has \(size) bytes, close to the limit of \(limit); \(adviceOnManyRules)"
        return [.wholeFile(.note, .nearlyTooLarge, message: message)]
    }
}

extension AssociationFinding {
    /// Returns a finding about the file as a whole.
    static func wholeFile(_ severity: FindingSeverity, _ code: Code, message: String) -> Self {
        Self(severity: severity, code: code, place: "", line: 1, column: 1, message: message)
    }

    /// Creates a finding about a placed value.
    init<Value>(
        _ severity: FindingSeverity,
        _ code: Code,
        at placed: AssociationFile.Placed<Value>,
        message: String,
        instead: String? = nil
    ) {
        self.init(
            severity: severity,
            code: code,
            place: placed.path,
            line: placed.line,
            column: placed.column,
            message: message,
            instead: instead?.replacement
        )
    }
}
