internal import CFileSchemas
internal import DeviceFiles
internal import Fleets
internal import Foundation
internal import LoadTesting
internal import Scenarios
internal import SchemaFiles

/// A kind of file that people write.
enum FileKind: String, CaseIterable, Sendable {
    case app
    case contexts
    case device
    case fleet
    case gateway
    case load
    case scenario
    case stack

    /// Returns the JSON Schema of such files, for editors.
    ///
    /// - Throws: `JSONError` if it is damaged.
    func schemaDocument() throws -> String {
        let schema: FileSchema =
            switch self {
            case .app: try .app()
            case .contexts: try .contexts()
            case .device: try .device()
            case .fleet: try .fleet()
            case .gateway: try FileSchema(embedded: waypost_gateway_schema)
            case .load: try .loadProfile()
            case .scenario: try .scenario()
            case .stack: try .stack()
            }
        return try JSONOutput.document(schema.document) + "\n"
    }

    /// Writes the schemas of kinds into a folder, under their names.
    ///
    /// - Throws: `CommandFailure` if a file cannot be written; `JSONError` if a schema is damaged.
    static func writeSchemas(of kinds: [Self], to folder: URL) throws {
        for kind in kinds {
            let file = folder.appending(path: "\(kind.rawValue).json")
            try OutputFile.write(Data(try kind.schemaDocument().utf8), to: file)
        }
    }
}
