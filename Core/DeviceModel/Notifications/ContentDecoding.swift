internal import Highlights
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The decoding of a Live Activity's content into the types that its app describes.
///
/// ActivityKit decodes as `JSONDecoder` does by default, and an app cannot change that: names must be the same, a
/// `Date` is a number of seconds since 2001, and `Data` is Base64. Keys that are not fields are ignored.
struct ContentDecoding {
    /// The reason why content does not decode.
    struct Failure: Error, Equatable {
        /// A human-readable sentence with the place, such as `content-state.score.home`.
        let explanation: String
    }

    /// The maximum number of notes.
    private static let maximumNoteCount = 4

    /// The time of the device, near which a date probably is.
    let now: Timestamp

    /// Human-readable sentences about content that decodes, but probably not as intended.
    private(set) var notes: [String] = []

    /// Decodes the fields of an object, by name.
    ///
    /// - Parameters:
    ///   - value: the object.
    ///   - fields: the types of the fields.
    ///   - path: the place of the object.
    /// - Throws: the first `Failure`.
    mutating func decode(
        _ value: JSONValue,
        as fields: [String: ContentType],
        at path: String
    ) throws(Failure) {
        guard case .object(let members) = value else { throw Failure(value, at: path, expectation: "an object") }
        for (name, type) in fields.sorted(by: { $0.key < $1.key }) {
            let fieldPath = "\(path).\(name)"
            if let member = members[name] {
                try decode(member, as: type, at: fieldPath)
                continue
            }
            let similarName = Self.name(similarTo: name, in: members.keys.filter { fields[$0] == nil })
            let hint = similarName.map { "; the payload has '\($0.safe(for: .excerpt))', and names are not converted" }
            guard type.isOptional else {
                throw Failure(
                    explanation: "\(fieldPath) is missing; the app expects \(type.expectation)\(hint ?? "")"
                )
            }
            if let hint { addNote("\(fieldPath) is nil\(hint)") }
        }
    }

    /// Returns the name that probably stands for a field, such as `home_score` for `homeScore`.
    private static func name(similarTo field: String, in names: [String]) -> String? {
        let names = names.sorted()
        return names.first { $0.withoutSeparators == field.withoutSeparators } ?? field.nearest(among: names)
    }

    private mutating func decode(_ value: JSONValue, as type: ContentType, at path: String) throws(Failure) {
        switch type {
        case .named(let type): try decode(value, as: type, at: path)
        case .structure(let structure):
            guard value != .null || !type.isOptional else { return }
            try decode(value, as: structure, at: path)
        }
    }

    private mutating func decode(
        _ value: JSONValue,
        as structure: ContentStructure,
        at path: String
    ) throws(Failure) {
        if let fields = structure.fields {
            try decode(value, as: fields, at: path)
        } else if let elements = structure.elements {
            try decode(value, asListOf: elements, at: path)
        } else if !(structure.cases ?? []).contains(where: { value == .string($0) }) {
            throw Failure(value, at: path, expectation: structure.expectation)
        }
    }

    private mutating func decode(
        _ value: JSONValue,
        asListOf type: ContentType,
        at path: String
    ) throws(Failure) {
        guard case .array(let elements) = value else { throw Failure(value, at: path, expectation: "a list") }
        for (index, element) in elements.enumerated() { try decode(element, as: type, at: "\(path)[\(index)]") }
    }

    private mutating func decode(_ value: JSONValue, as type: SwiftType, at path: String) throws(Failure) {
        switch type {
        case .optional(let type):
            if value != .null { try decode(value, as: type, at: path) }
        case .array(let type): try decode(value, asListOf: .named(type), at: path)
        case .dictionary(let type):
            guard case .object(let members) = value else { throw Failure(value, at: path, expectation: "an object") }
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                try decode(member, as: type, at: "\(path).\(name.safe(for: .excerpt))")
            }
        case .name(let name):
            guard name.accepts(value) else { throw Failure(value, at: path, expectation: name.expectation) }
            if name == .date, let number = value.number { noteDate(number, at: path) }
        }
    }

    /// Adds a note about a date that probably counts from 1970: then it is nearer to now.
    private mutating func noteDate(_ number: Double, at path: String) {
        let isInMilliseconds = number >= 1e12
        guard let seconds = DefaultDate.unixSeconds(isInMilliseconds ? number / 1_000 : number),
            abs(seconds - now.seconds) < abs(seconds + DefaultDate.secondsUntil2001 - now.seconds)
        else { return }
        let date = isInMilliseconds ? "after the year 9999" : Self.text(ofDate: seconds)
        let unit = isInMilliseconds ? "milliseconds" : "seconds"
        addNote(
            "\(path) is \(date), because Swift's default date strategy counts from 2001; "
                + "if it is in \(unit) since 1970, send \(seconds - DefaultDate.secondsUntil2001)"
        )
    }

    /// Returns a date as text, to the second in UTC.
    private static func text(ofDate secondsSince2001: Int) -> String {
        Timestamp(milliseconds: (secondsSince2001 + DefaultDate.secondsUntil2001) * 1_000).text
    }

    private mutating func addNote(_ note: String) {
        if notes.count < Self.maximumNoteCount { notes.append(note) }
    }
}

extension ContentDecoding.Failure {
    /// Creates the failure of a value of another kind.
    fileprivate init(_ value: JSONValue, at path: String, expectation: String) {
        self.init(explanation: "\(path) is \(value.shortText); the app expects \(expectation)")
    }
}

extension String {
    /// The string in lowercase, without hyphens and underscores.
    fileprivate var withoutSeparators: String {
        lowercased().filter { $0 != "-" && $0 != "_" }
    }
}

extension JSONValue {
    /// The value in a message: the kind of a value with parts, or else the value.
    fileprivate var shortText: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): "'\(value.safe(for: .excerpt))'"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
