internal import TextBasics
internal import WaypostSchema

/// A check of substitution variables and of their use in rules.
struct VariableCheck {
    private let file: AssociationFile
    private let rules: [CheckedRule]

    /// The names of the variables that the patterns of rules and defaults use.
    private let namesInPatterns: Set<String>

    /// The names that are used in patterns for URLs whose escapes are not decoded.
    private let namesInEncodedPatterns: Set<String>

    /// The names to suggest for an undefined name; empty if there are too many to search.
    private let suggestedNames: [String]

    init(_ file: AssociationFile, _ rules: [CheckedRule]) {
        self.file = file
        self.rules = rules
        let variableNames = { (rules: [CheckedRule]) in
            Set(
                rules.flatMap(\.effectiveRule.patterns).flatMap { PatternPart.parts(of: $0.utf8) }
                    .compactMap(\.variable)
            )
        }
        namesInPatterns = variableNames(rules)
        namesInEncodedPatterns = variableNames(rules.filter(\.isPercentEncoded))
        let definedNames = PatternVariables.predefinedNames.union(file.substitutionVariables.keys)
        suggestedNames = definedNames.count > 200 ? [] : definedNames.sorted()
    }

    var findings: [AssociationFinding] {
        let definitions = file.substitutionVariables.flatMap { findings(about: $0.key, $0.value) }
        return definitions + rules.flatMap(findings(aboutUseIn:))
    }

    private func findings(
        about name: String,
        _ values: AssociationFile.Placed<[AssociationFile.Placed<String>]>
    ) -> [AssociationFinding] {
        var findings: [AssociationFinding] = []
        if name.isEmpty || name.contains(where: { "$()".contains($0) }) {
            let message =
                "the name '\(name.safe(for: .excerpt))' cannot be used: it must not be empty or contain $, ( or )"
            findings.append(AssociationFinding(.error, .badVariableName, at: values, message: message))
        } else if !namesInPatterns.contains(name) {
            let message = "no pattern uses $(\(name.safe(for: .excerpt)))"
            findings.append(AssociationFinding(.note, .unusedVariable, at: values, message: message))
        }
        if PatternVariables.predefinedNames.contains(name) {
            let message = "$(\(name)) is predefined, and has another meaning in this file"
            findings.append(
                AssociationFinding(.warning, .shadowedVariable, at: values, message: message, instead: "another name")
            )
        }
        if values.value.isEmpty {
            let message = "$(\(name.safe(for: .excerpt))) has no values, so patterns with it match nothing"
            findings.append(AssociationFinding(.warning, .emptyVariable, at: values, message: message))
        }
        for value in values.value where PatternPart.hasVariables(value.value) {
            let message =
                "'\(value.value.safe(for: .excerpt))' contains a variable, which a value cannot; the value is ignored"
            findings.append(
                AssociationFinding(
                    .error,
                    .nestedVariable,
                    at: value,
                    message: message,
                    instead: "the values themselves"
                )
            )
        }
        guard namesInPatterns.contains(name) else { return findings }
        return findings + values.value.flatMap { encodingFindings($0, of: name) }
    }

    private func encodingFindings(
        _ value: AssociationFile.Placed<String>,
        of name: String
    ) -> [AssociationFinding] {
        guard !PatternPart.hasVariables(value.value) else { return [] }
        let subject = "the value '\(value.value.safe(for: .excerpt))' of $(\(name.safe(for: .excerpt)))"
        guard namesInEncodedPatterns.contains(name) else {
            guard value.value.hasEscapes else { return [] }
            let message = "\(subject) has escapes, but is compared with URLs whose escapes are decoded"
            return [
                AssociationFinding(
                    .warning,
                    .escapeInDecodedPattern,
                    at: value,
                    message: message,
                    instead: "decoded characters"
                )
            ]
        }
        if value.value.needsEscaping {
            let message = "\(subject) has characters that are escaped in every URL"
            let instead = #"escapes, or "percentEncoded": false for the rules that use it"#
            return [AssociationFinding(.error, .unencodedCharacter, at: value, message: message, instead: instead)]
        }
        guard value.value.hasLowercaseEscapes else { return [] }
        let message =
            "\(subject) has an escape in lower case; in most URLs it is in upper case, and it is compared as written"
        return [AssociationFinding(.warning, .lowercaseEscape, at: value, message: message)]
    }

    private func findings(aboutUseIn rule: CheckedRule) -> [AssociationFinding] {
        var findings: [AssociationFinding] = []
        for pattern in rule.patterns {
            // Each name is checked once, even if the pattern contains it several times.
            for part in Set(PatternPart.parts(of: pattern.text.utf8)).sorted(by: { $0.text < $1.text }) {
                switch part {
                case .unterminated:
                    let message =
                        "in '\(pattern.text.safe(for: .excerpt))' a $( has no closing ), so it matches nothing"
                    findings.append(
                        AssociationFinding(
                            .error,
                            .unterminatedVariable,
                            at: rule.writtenRule,
                            message: message,
                            instead: "$(name)"
                        )
                    )
                case .variable(let name) where !isDefined(name):
                    let suggestion = suggestedNames.first { $0.isSimilar(to: name) }.map { "$(\($0))" }
                    let message =
                        "$(\(name.safe(for: .excerpt))) is not defined, so '\(pattern.text.safe(for: .excerpt))' matches nothing"
                    findings.append(
                        AssociationFinding(
                            .error,
                            .undefinedVariable,
                            at: rule.writtenRule,
                            message: message,
                            instead: suggestion
                        )
                    )
                default: break
                }
            }
        }
        return findings
    }

    private func isDefined(_ name: String) -> Bool {
        PatternVariables.predefinedNames.contains(name) || file.substitutionVariables[name] != nil
    }
}

extension LinkRule {
    /// All patterns of the rule.
    fileprivate var patterns: [String] {
        let queries: [String] =
            switch query {
            case .whole(let pattern)?: [pattern]
            case .items(let items)?: items.map(\.pattern)
            case nil: []
            }
        return [path, fragment].compactMap { $0 } + queries
    }
}
