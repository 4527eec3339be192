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
            case .object(let members) = value, !members.isEmpty, !value.hasGreatInteger
        else { return }
        let text = YAMLText.document(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        do throws(FileFindings) {
            let read = try read(text)
            promise(read == value, "a value is the same when it is read again", found: (read as Any, text))
        } catch {
            promise(false, "a value can be read again", found: (error, text))
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
    /// Whether a part of the value is an integer that files do not have.
    fileprivate var hasGreatInteger: Bool {
        switch self {
        case .unsigned: true
        case .array(let elements): elements.contains(where: \.hasGreatInteger)
        case .object(let members): members.values.contains(where: \.hasGreatInteger)
        default: false
        }
    }
}
