public import WaypostSchema

/// A check for errors and probable mistakes in an association file.
public enum AssociationCheck {
    /// The maximum size of a file to check, in bytes: twice the maximum that a device reads.
    private static let maximumSize = 2 * AssociationFile.maximumSize

    /// The number of rules above which a note is reported.
    private static let manyRulesThreshold = 500

    /// Returns the findings about a file, in the order of the file.
    ///
    /// - Complexity: O(size); for unreachable rules O(rules²), within a fixed budget.
    public static func findings(in bytes: [UInt8]) -> [AssociationFinding] {
        let sizeFindings = Self.sizeFindings(bytes.count)
        guard bytes.count <= maximumSize else { return sizeFindings }
        do throws(AssociationFinding) {
            let file = try AssociationReader(bytes).file()
            return (sizeFindings + file.findings + findings(in: file)).sortedByPosition
        } catch {
            return sizeFindings + [error]
        }
    }

    private static func findings(in file: AssociationFile) -> [AssociationFinding] {
        let rules = CheckedRule.all(of: file)
        var findings = AppCheck.findings(in: file)
        let rulesAndDefaults = rules + CheckedRule.defaults(of: file)
        findings += rulesAndDefaults.flatMap(PatternCheck.findings)
        findings += VariableCheck(file, rulesAndDefaults).findings
        findings += ReachabilityCheck(file, rules).findings
        if rules.count > manyRulesThreshold {
            let message = "there are \(rules.count) rules, which are tried one after another"
            findings.append(
                .wholeFile(.note, .tooManyRules, message: message, instead: "substitution variables and wildcards")
            )
        }
        return findings
    }

    private static func sizeFindings(_ size: Int) -> [AssociationFinding] {
        let limit = AssociationFile.maximumSize
        let instead = "fewer rules, with substitution variables and wildcards"
        if size > limit {
            let message = "the file has \(size) bytes; a device ignores files of more than \(limit)"
            return [.wholeFile(.error, .tooLarge, message: message, instead: instead)]
        }
        guard size > limit / 4 * 3 else { return [] }
        let message = "the file has \(size) bytes, close to the limit of \(limit)"
        return [.wholeFile(.note, .nearlyTooLarge, message: message, instead: instead)]
    }
}

extension AssociationFinding {
    /// Returns a finding about the file as a whole.
    fileprivate static func wholeFile(
        _ severity: FindingSeverity,
        _ code: Code,
        message: String,
        instead: String
    ) -> Self {
        Self(severity: severity, code: code, place: "", line: 1, column: 1, message: message, instead: instead)
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
            instead: instead
        )
    }
}
