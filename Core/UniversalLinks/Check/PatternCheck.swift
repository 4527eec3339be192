internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// A check of the patterns of a rule.
enum PatternCheck {
    static func findings(in rule: CheckedRule) -> [AssociationFinding] {
        rule.patterns.flatMap { findings(in: $0, of: rule) } + itemNameFindings(rule)
    }

    private static func findings(in pattern: CheckedRule.Pattern, of rule: CheckedRule) -> [AssociationFinding] {
        let parts = PatternPart.parts(of: pattern.text.utf8)
        var findings = pattern.isForPath ? pathFindings(pattern.text, rule) : []
        // A pattern that matches nothing needs no further advice.
        if findings.contains(where: { $0.severity == .error }) { return findings }
        findings += encodingFindings(pattern, parts, rule: rule)
        if pattern.isForItem, !parts.isEmpty, parts.allSatisfy({ $0 == .anySequence }) {
            let message = "the \(pattern.part) may have any value, and may be missing"
            findings.append(
                AssociationFinding(
                    .note,
                    .optionalItem,
                    at: rule.writtenRule,
                    message: message,
                    instead: #""?*" if required"#
                )
            )
        }
        if zip(parts, parts.dropFirst()).contains(where: { $0 == (.anySequence, .anySequence) }) {
            let message = "in the \(pattern.part), '**' matches the same as '*'"
            let instead = rule.suggestion(for: parts.withSingleStars)
            findings.append(
                AssociationFinding(.note, .doubleStar, at: rule.writtenRule, message: message, instead: instead)
            )
        }
        return findings
    }

    // MARK: - Paths

    private static func pathFindings(_ path: String, _ rule: CheckedRule) -> [AssociationFinding] {
        if let pathOfURL = pathOfURL(path) {
            let message =
                "'\(path.safe(for: .excerpt))' is a URL; a path has neither scheme nor host, so this matches nothing"
            return [
                AssociationFinding(
                    .error,
                    .urlInPath,
                    at: rule.writtenRule,
                    message: message,
                    instead: rule.suggestion(for: pathOfURL)
                )
            ]
        }
        if rule.writtenRule.value.form == .path, let correction = correctedExclusion(path, rule) {
            let message = "this does not exclude the path: write \"NOT \" in capitals and with one space"
            return [
                AssociationFinding(
                    .error,
                    .misspelledNot,
                    at: rule.writtenRule,
                    message: message,
                    instead: correction.printableJSON
                )
            ]
        }
        var findings: [AssociationFinding] = []
        if let first = path.first, !"/*?$".contains(first) {
            let message = "'\(path.safe(for: .excerpt))' does not start with a slash; it is read as if it did"
            findings.append(
                AssociationFinding(
                    .warning,
                    .noLeadingSlash,
                    at: rule.writtenRule,
                    message: message,
                    instead: rule.suggestion(for: "/" + path)
                )
            )
        }
        if path.contains("#"), rule.isPercentEncoded {
            let message = "a path never contains '#', so '\(path.safe(for: .excerpt))' matches nothing"
            let instead = ##"the key "#" of a component"##
            findings.append(
                AssociationFinding(.error, .fragmentInPath, at: rule.writtenRule, message: message, instead: instead)
            )
        } else if looksLikeQuery(path) {
            let message =
                "in '\(path.safe(for: .excerpt))' the '?' matches one character; a path does not include the query"
            let instead = ##"the key "?" of a component"##
            findings.append(
                AssociationFinding(.warning, .queryInPath, at: rule.writtenRule, message: message, instead: instead)
            )
        }
        return findings
    }

    /// The path of a URL that is written in place of a path; `nil` if it is not a URL.
    private static func pathOfURL(_ path: String) -> String? {
        let scheme = path.utf8.prefix { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
        guard !scheme.isEmpty, path.utf8.dropFirst(scheme.count).starts(with: "://".utf8) else { return nil }
        let rest = String(
            decoding: path.utf8.dropFirst(scheme.count + 3).drop { $0 != UInt8(ascii: "/") },
            as: UTF8.self
        )
        return rest.isEmpty ? "/" : rest
    }

    /// Returns whether the part after the last question mark looks like a query: a name and "=".
    private static func looksLikeQuery(_ path: String) -> Bool {
        guard let mark = path.lastIndex(of: "?") else { return false }
        let name = path[mark...].dropFirst().prefix { $0 != "=" }
        return !name.isEmpty && name.endIndex < path.endIndex
            && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_&".utf8.contains($0) }
    }

    /// Returns the correct exclusion if a path begins with a misspelled "NOT ", or `nil` otherwise.
    private static func correctedExclusion(_ path: String, _ rule: CheckedRule) -> String? {
        let isSpace = { (character: Character) in character == " " || character == "\t" || character == ":" }
        if rule.writtenRule.value.isExclusion {
            let rest = path.drop(while: isSpace)
            return rest.count < path.count && rest.hasPrefix("/") ? LinkRule.exclusionPrefix + rest : nil
        }
        guard path.prefix(3).lowercased() == "not" else { return nil }
        let rest = path.dropFirst(3).drop(while: isSpace)
        return rest.hasPrefix("/") ? LinkRule.exclusionPrefix + rest : nil
    }

    // MARK: - Escapes

    private static func encodingFindings(
        _ pattern: CheckedRule.Pattern,
        _ parts: [PatternPart],
        rule: CheckedRule
    ) -> [AssociationFinding] {
        let texts = parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
        let prefix = "in the \(pattern.part) '\(pattern.text.safe(for: .excerpt))'"
        if !rule.isPercentEncoded {
            guard texts.contains(where: \.hasEscapes) else { return [] }
            let message =
                "\(prefix) the escapes match nothing: with \"percentEncoded\": false, the escapes of a URL are decoded"
            return [
                AssociationFinding(
                    .warning,
                    .escapeInDecodedPattern,
                    at: rule.writtenRule,
                    message: message,
                    instead: "decoded characters"
                )
            ]
        }
        var findings: [AssociationFinding] = []
        if texts.contains(where: \.needsEscaping) {
            let message = "\(prefix) there are characters that are escaped in every URL, so it matches nothing"
            let alternative = rule.writtenRule.value.form == .component ? #", or "percentEncoded": false"# : ""
            let instead = rule.suggestion(for: parts.escaped).map { $0 + alternative }
            findings.append(
                AssociationFinding(
                    .error,
                    .unencodedCharacter,
                    at: rule.writtenRule,
                    message: message,
                    instead: instead
                )
            )
        }
        if rule.effectiveRule.caseSensitive != false, texts.contains(where: \.hasLowercaseEscapes) {
            let message =
                "\(prefix) an escape is in lower case; in most URLs it is in upper case, and it is compared as written"
            let instead = rule.suggestion(for: parts.withUppercaseEscapes)
            findings.append(
                AssociationFinding(.warning, .lowercaseEscape, at: rule.writtenRule, message: message, instead: instead)
            )
        }
        return findings
    }

    private static func itemNameFindings(_ rule: CheckedRule) -> [AssociationFinding] {
        guard rule.isPercentEncoded, case .items(let items)? = rule.writtenRule.value.query else { return [] }
        return items.filter(\.name.needsEscaping).map { item in
            let message =
                "the query item name '\(item.name.safe(for: .excerpt))' has characters that are escaped in every URL"
            let instead = CheckedRule.quoted(item.name.escapedForURL)
            return AssociationFinding(
                .error,
                .unencodedCharacter,
                at: rule.writtenRule,
                message: message,
                instead: instead
            )
        }
    }
}

extension String {
    /// Whether the string has escapes: a percent sign and two hexadecimal digits.
    var hasEscapes: Bool {
        hasEscape { _ in true }
    }

    var hasLowercaseEscapes: Bool {
        hasEscape { $0.contains { $0.isASCIILetter && $0 & 0x20 != 0 } }
    }

    private func hasEscape(where isIncluded: (ArraySlice<UInt8>) -> Bool) -> Bool {
        let bytes = Array(utf8)
        return bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: "%") else { return false }
            let digits = bytes[(index + 1)...].prefix(2)
            return digits.count == 2 && digits.allSatisfy(\.isHexadecimalDigit) && isIncluded(digits)
        }
    }

    /// Whether the string has characters that are escaped in every URL.
    ///
    /// A percent sign is allowed, because a wildcard may match the rest of an escape.
    var needsEscaping: Bool {
        utf8.contains { LinkURL.mustBeEscaped($0) }
    }

    /// The string with the characters escaped that need it.
    fileprivate var escapedForURL: String {
        String(decoding: LinkURL.escaped(utf8) { LinkURL.mustBeEscaped($0) }, as: UTF8.self)
    }
}

extension [PatternPart] {
    fileprivate var withSingleStars: String {
        var text = ""
        for (index, part) in enumerated() {
            if part == .anySequence, index > 0, self[index - 1] == .anySequence { continue }
            text += part.text
        }
        return text
    }

    fileprivate var escaped: String {
        mappingText(\.escapedForURL)
    }

    fileprivate var withUppercaseEscapes: String {
        mappingText { text in
            var bytes = [UInt8](text.utf8)
            for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
                for digit in bytes.indices.dropFirst(index + 1).prefix(2) where bytes[digit].isHexadecimalDigit {
                    if bytes[digit].isASCIILetter { bytes[digit] &= 0xDF }
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func mappingText(_ transform: (String) -> String) -> String {
        map { if case .text(let text) = $0 { transform(text) } else { $0.text } }.joined()
    }
}
