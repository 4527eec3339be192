import SchemaFiles

@testable import AdminCommands

extension FuzzTarget {
    /// The file in which a user keeps contexts.
    static let contextFiles = FuzzTarget(
        name: "context-files",
        summary: "files of contexts; every problem has a place in the file, and contexts can be written and read"
    ) { bytes in
        WrittenFile(bytes).check { name throws(FileFindings) in
            checkWriting(of: try ContextsFile(name, schemas.contexts))
        }
    }

    /// A stack, whose device files and app files are not read.
    static let stackFiles = FuzzTarget(
        name: "stack-files",
        summary: "stacks; every problem has a place in the file, and a stack has all addresses"
    ) { bytes in
        WrittenFile(bytes).check { name throws(FileFindings) in
            let stack = try stack(in: name)
            promise((stack.agentArguments == nil) == stack.devices.isEmpty, "an agent has devices", found: stack)
            for option in ["--service", "--courier", "--provider-plaintext", "--data"] {
                promise(stack.gatewayArguments.contains(option), "a gateway has its options", found: stack)
            }
        }
    }

    private static func stack(in name: String) throws(FileFindings) -> Stack {
        do {
            return try Stack(from: name, Stack.Options(), schema: schemas.stack, readsFiles: false)
        } catch let error as FileFindings {
            throw error
        } catch {
            endUnprepared("the schemas cannot be read: \(error)")
        }
    }

    private static func checkWriting(of contexts: ContextsFile) {
        guard let text = try? contexts.yaml() else {
            return promise(false, "contexts can be written", found: contexts)
        }
        let read = FileText.withStandardInput(Array(text.utf8)) {
            try? ContextsFile(FileText.standardInputName, schemas.contexts)
        }
        promise(read == contexts, "contexts are the same when they are written and read", found: (contexts, text))
    }

    /// The schemas, which are parsed once.
    private static let schemas: CommandFileSchemas = {
        do {
            return try CommandFileSchemas()
        } catch {
            endUnprepared("the schemas cannot be read: \(error)")
        }
    }()
}

/// The schemas of the files of commands.
private struct CommandFileSchemas {
    let contexts: FileSchema
    let stack: FileSchema

    init() throws {
        contexts = try .contexts()
        stack = try .stack()
    }
}
