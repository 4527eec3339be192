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
            let message = #"the \#(pattern.part) may have any value, and may be missing; write "?*" if it is required"#
            findings.append(AssociationFinding(.note, .optionalItem, at: rule.writtenRule, message: message))
        }
        if zip(parts, parts.dropFirst()).contains(where: { $0 == (.anySequence, .anySequence) }) {
            let message = "in the \(pattern.part), '**' matches the same as '*'"
            let instead = rule.replacement { $0.mappingPatterns { $0.mappingParts(\.withSingleStars) } }
            findings.append(
                AssociationFinding(.note, .doubleStar, at: rule.writtenRule, message: message, instead: instead)
            )
        }
        return findings
    }

    // MARK: - Paths

    private static func pathFindings(_ path: String, _ rule: CheckedRule) -> [AssociationFinding] {
        if let partAfterScheme = partAfterScheme(of: path) {
            let message =
                "'\(path.safe(for: .excerpt))' is a URL; a path has neither scheme nor host, so this matches nothing"
            return [
                AssociationFinding(
                    .error,
                    .urlInPath,
                    at: rule.writtenRule,
                    message: message,
                    instead: rule.replacement {
                        pathOfURL(partAfterScheme).flatMap($0.splitting)?.correctingEscapes(of: rule)
                    }
                )
            ]
        }
        if rule.writtenRule.value.form == .path, let excludedPath = excludedPath(path, rule) {
            let message = "this does not exclude the path: write \"NOT \" in capitals and with one space"
            return [
                AssociationFinding(
                    .error,
                    .misspelledNot,
                    at: rule.writtenRule,
                    message: message,
                    instead: rule.replacement { $0.excluding(excludedPath).correctingEscapes(of: rule) }
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
                    instead: rule.isOfAnotherLanguage
                        ? nil : rule.replacement { $0.withLeadingSlash?.correctingEscapes(of: rule) }
                )
            )
        }
        if path.contains("#"), rule.isPercentEncoded {
            let message = "a path never contains '#', so '\(path.safe(for: .excerpt))' matches nothing"
            let advice = ##"; write it as the "#" of a component"##
            findings.append(
                AssociationFinding(
                    .error,
                    .fragmentInPath,
                    at: rule.writtenRule,
                    message: message + advice,
                    instead: rule.replacement { $0.splitting(path)?.correctingEscapes(of: rule) }
                )
            )
        } else if path.startOfQuery != nil {
            let message =
                "in '\(path.safe(for: .excerpt))' the '?' matches one character; a path does not include the query"
            let advice = ##"; write it as the "?" of a component"##
            findings.append(
                AssociationFinding(
                    .warning,
                    .queryInPath,
                    at: rule.writtenRule,
                    message: message + advice,
                    instead: rule.replacement { $0.splitting(path)?.correctingEscapes(of: rule) }
                )
            )
        }
        return findings
    }

    /// The part of a URL after its scheme if a URL is written in place of a path; otherwise `nil`.
    private static func partAfterScheme(of path: String) -> String? {
        let bytes = path.withoutBlanksAtEnds.utf8
        let scheme = bytes.prefix { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
        guard !scheme.isEmpty, bytes.dropFirst(scheme.count).starts(with: "://".utf8) else { return nil }
        return String(decoding: bytes.dropFirst(scheme.count + 3), as: UTF8.self)
    }

    /// Returns the part of a URL from its path on; `nil` if the end of its host is not clear.
    private static func pathOfURL(_ partAfterScheme: String) -> String? {
        let host = partAfterScheme.prefix { !"/#".contains($0) }
        // The question mark may be a wildcard in the host, or start the query.
        guard !host.contains("?") else { return nil }
        let rest = partAfterScheme.dropFirst(host.count)
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// Returns the path that is probably excluded if a path begins with a misspelled "NOT "; otherwise `nil`.
    private static func excludedPath(_ path: String, _ rule: CheckedRule) -> String? {
        let isSeparator = { (character: Character) in character.isWhitespace || character == ":" }
        if rule.writtenRule.value.isExclusion {
            let rest = path.drop(while: isSeparator)
            return rest.count < path.count && rest.begins(withOneOf: "/*") ? String(rest) : nil
        }
        let word = path.drop(while: \.isWhitespace)
        guard word.prefix(3).lowercased() == "not" else { return nil }
        let rest = word.dropFirst(3)
        let excludedPath = rest.drop(while: isSeparator)
        // Without a separator, a path with a wildcard may be the name of a page.
        let starts = rest.count > excludedPath.count ? "/*" : "/"
        return excludedPath.begins(withOneOf: starts) ? String(excludedPath) : nil
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
                    instead: rule.replacement(\.unescapedPatterns)
                )
            ]
        }
        var findings: [AssociationFinding] = []
        if texts.contains(where: \.needsEscaping) {
            let isComponent = rule.writtenRule.value.form == .component
            let advice = "; write the escapes" + (isComponent ? #", or set "percentEncoded": false"# : "")
            let message = "\(prefix) there are characters that are escaped in every URL, so it matches nothing\(advice)"
            findings.append(
                AssociationFinding(
                    .error,
                    .unencodedCharacter,
                    at: rule.writtenRule,
                    message: message,
                    instead: rule.isOfAnotherLanguage ? nil : rule.replacement { $0.correctingEscapes(of: rule) }
                )
            )
        }
        if rule.effectiveRule.caseSensitive != false, texts.contains(where: \.hasLowercaseEscapes) {
            let message =
                "\(prefix) an escape is in lower case; in most URLs it is in upper case, and it is compared as written"
            let instead = rule.replacement { $0.mappingPatterns(\.patternWithUppercaseEscapes) }
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
            return AssociationFinding(
                .error,
                .unencodedCharacter,
                at: rule.writtenRule,
                message: message,
                instead: rule.replacement { $0.correctingEscapes(of: rule) }
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
    var escapedForURL: String {
        String(decoding: LinkURL.escaped(utf8) { LinkURL.mustBeEscaped($0) }, as: UTF8.self)
    }

    /// The string with its escapes decoded; `nil` if the result is not text, or still has an escape.
    private var unescaped: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(\.hexadecimalValue)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.hasEscapes else { return nil }
        return text
    }
}

// MARK: - Corrected patterns

extension StringProtocol {
    func begins(withOneOf characters: String) -> Bool {
        guard let first else { return false }
        return characters.contains(first)
    }
}

extension String {
    /// The pattern with its escapes decoded; `nil` if a decoded character would have a meaning in a pattern.
    var unescapedPattern: String? {
        var isClear = true
        let pattern = mappingParts { parts in
            parts.mappingText { text in
                guard let unescaped = text.unescaped, PatternPart.parts(of: unescaped.utf8) == [.text(unescaped)] else {
                    isClear = false
                    return text
                }
                return unescaped
            }
        }
        return isClear ? pattern : nil
    }

    /// The pattern without blanks at its ends, and with the characters escaped that need it; `nil` if it is only blank.
    var escapedPattern: String? {
        let pattern = withoutBlanksAtEnds
        guard !pattern.isEmpty || isEmpty else { return nil }
        return pattern.mappingParts { $0.mappingText(\.escapedForURL) }
    }

    /// The pattern with the letters in its escapes in upper case.
    var patternWithUppercaseEscapes: String {
        mappingParts { parts in
            parts.mappingText { text in
                var bytes = Array(text.utf8)
                for index in bytes.indices.dropLast(2) where bytes[index] == UInt8(ascii: "%") {
                    guard bytes[index + 1].isHexadecimalDigit, bytes[index + 2].isHexadecimalDigit else { continue }
                    bytes[index + 1] = bytes[index + 1].uppercasedASCII
                    bytes[index + 2] = bytes[index + 2].uppercasedASCII
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// Returns the pattern with its parts changed; a variable that is not closed stays unchanged.
    func mappingParts(_ transform: ([PatternPart]) -> String) -> String {
        let parts = PatternPart.parts(of: utf8)
        guard parts.last == .unterminated else { return transform(parts) }
        let closedParts = Array(parts.dropLast())
        let end = utf8.dropFirst(closedParts.map(\.text).joined().utf8.count)
        return transform(closedParts) + String(decoding: end, as: UTF8.self)
    }

    /// The start of the part after the last question mark if it looks like a query, which has a name and "=".
    var startOfQuery: Index? {
        guard let mark = lastIndex(of: "?") else { return nil }
        let name = self[mark...].dropFirst().prefix { $0 != "=" }
        let isName = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_&".utf8.contains($0) }
        return !name.isEmpty && name.endIndex < endIndex && isName ? mark : nil
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

    fileprivate func mappingText(_ transform: (String) -> String) -> String {
        map { if case .text(let text) = $0 { transform(text) } else { $0.text } }.joined()
    }
}
