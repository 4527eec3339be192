import JSONScanning
import Scenarios
import SchemaFiles
import WaypostSchema

extension FuzzTarget {
    /// An object as JSON, which is written as a recording is.
    static let writtenTexts = FuzzTarget(
        name: "written-texts",
        summary: "values as a recording writes them in YAML; the reader of files finds the same values"
    ) { bytes in
        // A key of YAML has at most 1,024 characters.
        guard bytes.count < 1_000, let value = try? DocumentDecoder.decode(JSONValue.self, from: bytes),
            case .object(let members) = value, !members.isEmpty, !value.contains(where: filesCannotHave)
        else { return }
        let text = YAMLText.document(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        do throws(FileFindings) {
            let read = try read(text)
            promise(read == value, "a value is the same when it is read again", found: (read as Any, text))
        } catch {
            promise(false, "a value can be read again", found: (error, text))
        }
    }

    /// Whether a value is one that files do not have: a great integer, or a text with a byte order mark.
    private static func filesCannotHave(_ value: JSONValue) -> Bool {
        switch value {
        case .unsigned: true
        case .string(let text): text.unicodeScalars.first == "\u{FEFF}"
        default: false
        }
    }

    private static func read(_ text: String) throws(FileFindings) -> JSONValue? {
        let root = try FileText(text, file: "text").root
        let schema = FileSchema(root: .object([:]))
        var reader = SchemaReader(schema, file: "text", variables: nil) { _, _ in nil }
        return reader.read(root, as: schema.root, called: "the value")
    }
}

extension JSONValue {
    /// Returns whether the value, one of its keys or a value in it has a property.
    fileprivate func contains(where hasProperty: (JSONValue) -> Bool) -> Bool {
        switch self {
        case .array(let elements): elements.contains { $0.contains(where: hasProperty) }
        case .object(let members):
            members.contains { hasProperty(.string($0)) || $1.contains(where: hasProperty) }
        default: hasProperty(self)
        }
    }
}
