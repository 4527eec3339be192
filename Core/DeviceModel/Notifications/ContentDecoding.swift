internal import Highlights
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The decoding of a Live Activity's content into the types that its app describes.
///
/// ActivityKit decodes as `JSONDecoder` does by default, and an app cannot change that: names must be the same, a
/// `Date` is a number of seconds since 2001, and `Data` is Base64. Keys that are not fields are ignored.
struct ContentDecoding {
    /// Something about a value of the content.
    struct Remark: Equatable {
        /// The kinds of remarks.
        enum Kind {
            /// The content does not decode.
            case failure

            /// It decodes, but a date probably counts from another time than intended.
            case date

            /// It decodes, but an optional field is missing, and a key is similar.
            case similarKey

            /// It decodes without a key that is not a field.
            case unknownKey
        }

        /// The kind.
        let kind: Kind

        /// The place, such as `content-state.score.home`.
        let path: ContentPath

        /// A human-readable sentence with the place.
        let explanation: String
    }

    /// The time of the device, near which a date probably is.
    let now: Timestamp

    /// The maximum number of remarks of each kind.
    let maximumCount: Int

    /// The remarks, in the order in which the values decode: fields by name.
    private(set) var remarks: [Remark] = []

    private var counts: [Remark.Kind: Int] = [:]

    /// Starts with no content.
    ///
    /// - Parameters:
    ///   - now: the time of the device.
    ///   - maximumCount: the maximum number of remarks of each kind.
    init(at now: Timestamp, maximumCount: Int) {
        self.now = now
        self.maximumCount = maximumCount
    }

    /// Returns the number of remarks of a kind.
    func count(of kind: Remark.Kind) -> Int {
        counts[kind, default: 0]
    }

    /// Decodes the content of a push into the fields that are described, and adds remarks about it.
    ///
    /// - Parameters:
    ///   - attributes: the attributes, or `nil` if they do not matter.
    ///   - contentState: the content state, or `nil` if it stays as it is.
    ///   - type: the type of the Live Activity.
    mutating func decode(attributes: JSONValue?, contentState: JSONValue?, as type: LiveActivityType) {
        if let attributes, let fields = type.attributes {
            decode(attributes, as: fields, at: ContentPath("attributes"))
        }
        if let contentState, let fields = type.contentState {
            decode(contentState, as: fields, at: ContentPath("content-state"))
        }
    }

    private mutating func decode(_ value: JSONValue, as fields: [String: ContentType], at path: ContentPath) {
        guard case .object(let members) = value else { return addFailure(value, at: path, expectation: "an object") }
        for (name, type) in fields.sorted(by: { $0.key < $1.key }) {
            let fieldPath = path.member(name)
            if let member = members[name] {
                decode(member, as: type, at: fieldPath)
                continue
            }
            let similarName = Self.name(similarTo: name, in: members.keys.filter { fields[$0] == nil })
            let hint = similarName.map { "; the payload has '\($0.safe(for: .excerpt))', and names are not converted" }
            if !type.isOptional {
                add(.failure, at: fieldPath, "is missing; the app expects \(type.expectation)\(hint ?? "")")
            } else if let hint {
                add(.similarKey, at: fieldPath, "is nil\(hint)")
            }
        }
        for name in members.keys.filter({ fields[$0] == nil }).sorted() {
            let similarName = Self.name(similarTo: name, in: fields.keys.filter { members[$0] == nil })
            let hint = similarName.map { "; did you mean '\($0)'?" } ?? ""
            add(.unknownKey, at: path.member(name), "is ignored, because the app's type has no such field\(hint)")
        }
    }

    /// Returns the name that probably stands for another one, such as `home_score` for `homeScore`.
    private static func name(similarTo name: String, in names: [String]) -> String? {
        let names = names.sorted()
        return names.first { $0.withoutSeparators == name.withoutSeparators } ?? name.nearest(among: names)
    }

    private mutating func decode(_ value: JSONValue, as type: ContentType, at path: ContentPath) {
        switch type {
        case .named(let type): decode(value, as: type, at: path)
        case .structure(let structure):
            guard value != .null || !type.isOptional else { return }
            decode(value, as: structure, at: path)
        }
    }

    private mutating func decode(_ value: JSONValue, as structure: ContentStructure, at path: ContentPath) {
        if let fields = structure.fields {
            decode(value, as: fields, at: path)
        } else if let elements = structure.elements {
            decode(value, asListOf: elements, at: path)
        } else if !(structure.cases ?? []).contains(where: { value == .string($0) }) {
            addFailure(value, at: path, expectation: structure.expectation)
        }
    }

    private mutating func decode(_ value: JSONValue, asListOf type: ContentType, at path: ContentPath) {
        guard case .array(let elements) = value else { return addFailure(value, at: path, expectation: "a list") }
        for (index, element) in elements.enumerated() { decode(element, as: type, at: path.element(index)) }
    }

    private mutating func decode(_ value: JSONValue, as type: SwiftType, at path: ContentPath) {
        switch type {
        case .optional(let type):
            if value != .null { decode(value, as: type, at: path) }
        case .array(let type): decode(value, asListOf: .named(type), at: path)
        case .dictionary(let type):
            guard case .object(let members) = value else {
                return addFailure(value, at: path, expectation: "an object")
            }
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                decode(member, as: type, at: path.member(name))
            }
        case .name(let name):
            guard name.accepts(value) else { return addFailure(value, at: path, expectation: name.expectation) }
            if name == .date, let number = value.number { remark(onDate: number, at: path) }
        }
    }

    /// Adds a remark about a date that probably counts from 1970: then it is nearer to now.
    private mutating func remark(onDate number: Double, at path: ContentPath) {
        let isInMilliseconds = number >= 1e12
        guard let seconds = DefaultDate.unixSeconds(isInMilliseconds ? number / 1_000 : number),
            abs(seconds - now.seconds) < abs(seconds + DefaultDate.secondsUntil2001 - now.seconds)
        else { return }
        let date = isInMilliseconds ? "after the year 9999" : Self.text(ofDate: seconds)
        let unit = isInMilliseconds ? "milliseconds" : "seconds"
        let message =
            "is \(date), because Swift's default date strategy counts from 2001; "
            + "if it is in \(unit) since 1970, send \(seconds - DefaultDate.secondsUntil2001)"
        add(.date, at: path, message)
    }

    /// Returns a date as text, to the second in UTC.
    private static func text(ofDate secondsSince2001: Int) -> String {
        Timestamp(milliseconds: (secondsSince2001 + DefaultDate.secondsUntil2001) * 1_000).text
    }

    /// Adds the failure of a value of another kind.
    private mutating func addFailure(_ value: JSONValue, at path: ContentPath, expectation: String) {
        add(.failure, at: path, "is \(value.shortText); the app expects \(expectation)")
    }

    private mutating func add(_ kind: Remark.Kind, at path: ContentPath, _ message: String) {
        guard count(of: kind) < maximumCount else { return }
        counts[kind, default: 0] += 1
        remarks.append(Remark(kind: kind, path: path, explanation: "\(path) \(message)"))
    }
}

extension ContentDecoding {
    /// Returns the sentence about a type that an app does not have.
    ///
    /// - Parameters:
    ///   - name: the name of the type.
    ///   - types: the types of the app, by name.
    /// - Returns: the sentence.
    static func explanation(ofMissingType name: String, in types: [String: LiveActivityType]) -> String {
        let names = types.keys.sorted()
        let start = "the app has no Live Activities of the type '\(name.safe(for: .excerpt))', so nothing appears"
        let list = names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))"
        let hint = name.nearest(among: names).map { "; did you mean '\($0)'?" } ?? ""
        return start + list + hint
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
