internal import Foundation
internal import SchemaFiles

/// A change of a scenario file: an expected value is replaced by what happened.
struct SourceEdit: Sendable, Equatable {
    /// The place of the value, or of the first element of a list.
    var place: SourcePlace

    /// The field, such as `scene` or `shelf[1]`.
    var field: String

    /// The value as it stands in the file, without quotes.
    var oldValue: String

    /// The new value.
    var newValue: String

    /// The place of the step.
    var stepPlace: SourcePlace

    /// The change in words.
    var text: String {
        "\(place): \(field): \(oldValue) → \(newValue)"
    }

    /// Returns the edits for the differences of a step, or `nil` if one of them cannot be written into the file.
    ///
    /// A value with a variable is not replaced: other steps and other runs of a matrix use the variable too.
    static func edits(for failure: StepFailure, in step: Step) -> [Self]? {
        var edits: [Self] = []
        for difference in failure.differences {
            guard let values = difference.replacement, !step.usesVariable(in: difference.field) else { return nil }
            if let scalar = step.scalars[difference.field], let new = values.first, values.count == 1 {
                edits.append(
                    Self(
                        place: scalar.place,
                        field: difference.field,
                        oldValue: scalar.text,
                        newValue: new,
                        stepPlace: step.place
                    )
                )
                continue
            }
            // Elements of a list are replaced one by one; a list of another length is a decision of a person.
            for (index, new) in values.enumerated() {
                let field = "\(difference.field)[\(index)]"
                guard let scalar = step.scalars[field] else { return nil }
                if scalar.text != new {
                    edits.append(
                        Self(
                            place: scalar.place,
                            field: field,
                            oldValue: scalar.text,
                            newValue: new,
                            stepPlace: step.place
                        )
                    )
                }
            }
            if step.scalars["\(difference.field)[\(values.count)]"] != nil { return nil }
        }
        return edits.isEmpty ? nil : edits
    }
}

extension Step {
    /// Returns whether a field of the expectation, or an element of its list, is written with a variable.
    fileprivate func usesVariable(in field: String) -> Bool {
        scalars.contains { path, scalar in
            (path == field || path.hasPrefix("\(field)[")) && scalar.text.contains("${")
        }
    }
}

/// The text of a file to which edits are applied; everything else, comments too, stays as it is.
struct EditedSource {
    private var lines: [String]

    init(_ text: String) {
        // A line break of Windows is one character, but two scalars.
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The text with the edits.
    var text: String {
        lines.joined(separator: "\n")
    }

    /// Applies edits; the last ones of the file first, so that places stay valid.
    ///
    /// - Returns: the edits that could not be applied, because the value is not on one line.
    mutating func apply(_ edits: [SourceEdit]) -> [SourceEdit] {
        let sortedEdits = edits.sorted { ($0.place.line, $0.place.column) > ($1.place.line, $1.place.column) }
        return sortedEdits.filter { !apply($0) }
    }

    private mutating func apply(_ edit: SourceEdit) -> Bool {
        guard lines.indices.contains(edit.place.line - 1) else { return false }
        let line = Array(lines[edit.place.line - 1].unicodeScalars)
        let start = edit.place.column - 1
        guard line.indices.contains(start) else { return false }
        for (spelling, quote) in Self.spellings(of: edit.oldValue) {
            let end = start + spelling.unicodeScalars.count
            guard end <= line.count, Array(spelling.unicodeScalars) == Array(line[start..<end]) else { continue }
            // A number or a truth value would be a text in quotes.
            let isPlain = quote == nil && Self.isLiteral(edit.oldValue) && Self.isLiteral(edit.newValue)
            let new = isPlain ? edit.newValue : Self.scalar(edit.newValue, quote: quote)
            lines[edit.place.line - 1] =
                String(String.UnicodeScalarView(line[..<start])) + new + String(String.UnicodeScalarView(line[end...]))
            return true
        }
        return false
    }

    /// Whether YAML reads a plain scalar as a whole number or a truth value.
    private static func isLiteral(_ value: String) -> Bool {
        Int(value) != nil || Bool(value) != nil
    }

    /// The ways to write a scalar on one line, each with its quote.
    private static func spellings(of value: String) -> [(String, Character?)] {
        [(scalar(value, quote: "\""), "\""), (scalar(value, quote: "'"), "'"), (value, nil)]
    }

    private static func scalar(_ value: String, quote: Character?) -> String {
        switch quote {
        case "\"": YAMLText.quoted(value)
        case "'" where !value.contains(where: \.isNewline): "'" + value.replacing("'", with: "''") + "'"
        default: YAMLText.scalar(value)
        }
    }
}
