internal import ArgumentParser
internal import WaypostSchema

/// Prints the JSON Schema: `waypost schema`.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of everything Waypost writes and reads in JSON.",
        discussion: "Each type is a definition of its own: '#/$defs/BatchItem' is one notification of a batch."
    )

    func run() async throws {
        try await reportingFailures { try StandardOutput.write(SchemaDocument.text) }
    }
}
