internal import JSONScanning
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

    /// The names that are used in patterns for URLs whose escapes are decoded.
    private let namesInDecodedPatterns: Set<String>

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
        namesInDecodedPatterns = variableNames(rules.filter { !$0.isPercentEncoded })
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
            if let place = file.variableNames[name] {
                let instead = correctedName(name)?.printableJSON
                findings.append(
                    AssociationFinding(.error, .badVariableName, at: place, message: message, instead: instead)
                )
            }
        } else if !namesInPatterns.contains(name) {
            let message = "no pattern uses $(\(name.safe(for: .excerpt)))"
            findings.append(AssociationFinding(.note, .unusedVariable, at: values, message: message))
        }
        if PatternVariables.predefinedNames.contains(name) {
            let message = "$(\(name)) is predefined, and has another meaning in this file; give it another name"
            findings.append(AssociationFinding(.warning, .shadowedVariable, at: values, message: message))
        }
        if values.value.isEmpty {
            let message = "$(\(name.safe(for: .excerpt))) has no values, so patterns with it match nothing"
            findings.append(AssociationFinding(.warning, .emptyVariable, at: values, message: message))
        }
        for value in values.value where PatternPart.hasVariables(value.value) {
            let message =
                "'\(value.value.safe(for: .excerpt))' contains a variable, which a value cannot; write the values themselves"
            findings.append(AssociationFinding(.error, .nestedVariable, at: value, message: message))
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
                    instead: value.value.unescapedPattern?.printableJSON
                )
            ]
        }
        if value.value.needsEscaping {
            let advice = #"write the escapes, or set "percentEncoded": false for the rules that use it"#
            let message = "\(subject) has characters that are escaped in every URL; \(advice)"
            // In a pattern that is compared with decoded URLs, escapes match nothing.
            let isAlsoDecoded = namesInDecodedPatterns.contains(name)
            let instead = isAlsoDecoded ? nil : value.value.escapedPattern?.printableJSON
            return [AssociationFinding(.error, .unencodedCharacter, at: value, message: message, instead: instead)]
        }
        guard value.value.hasLowercaseEscapes else { return [] }
        let message =
            "\(subject) has an escape in lower case; in most URLs it is in upper case, and it is compared as written"
        let instead = value.value.patternWithUppercaseEscapes.printableJSON
        return [AssociationFinding(.warning, .lowercaseEscape, at: value, message: message, instead: instead)]
    }

    /// Returns the name that is written like its use in a pattern, such as `$(food)`; `nil` if it is not clear.
    private func correctedName(_ name: String) -> String? {
        guard let first = name.first, "$(".contains(first) else { return nil }
        let rest = name.drop { "$(".contains($0) }
        let correctedName = String(rest.last == ")" ? rest.dropLast() : rest)
        let isUsable = !correctedName.isEmpty && !correctedName.contains { "$()".contains($0) }
        return isUsable && !isDefined(correctedName) ? correctedName : nil
    }

    /// Returns a pattern with its last variable closed, if a known name follows `$(`; otherwise the pattern.
    private func closingVariable(of pattern: String) -> String {
        let parts = PatternPart.parts(of: pattern.utf8)
        guard parts.last == .unterminated else { return pattern }
        let beginning = parts.map(\.text).joined()
        let rest = pattern.utf8.dropFirst(beginning.utf8.count)
        let name = suggestedNames.filter { rest.starts(with: $0.utf8) }.max { $0.utf8.count < $1.utf8.count }
        guard let name else { return pattern }
        let end = rest.dropFirst(name.utf8.count)
        guard end.first?.isASCIIAlphanumeric != true else { return pattern }
        return beginning + name + ")" + String(decoding: end, as: UTF8.self)
    }

    /// Returns a pattern with the name of a variable replaced.
    private func pattern(_ pattern: String, replacing name: String, with newName: String) -> String {
        pattern.mappingParts { parts in
            parts.map { $0 == .variable(name) ? PatternPart.variable(newName).text : $0.text }.joined()
        }
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
                            instead: rule.replacement { $0.mappingPatterns(closingVariable) }
                        )
                    )
                case .variable(let name) where !isDefined(name):
                    let instead = name.nearest(among: suggestedNames).flatMap { newName in
                        rule.replacement { writtenRule in
                            writtenRule.mappingPatterns { self.pattern($0, replacing: name, with: newName) }
                        }
                    }
                    let message =
                        "$(\(name.safe(for: .excerpt))) is not defined, so '\(pattern.text.safe(for: .excerpt))' matches nothing"
                    findings.append(
                        AssociationFinding(
                            .error,
                            .undefinedVariable,
                            at: rule.writtenRule,
                            message: message,
                            instead: instead
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
