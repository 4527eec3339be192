internal import ArgumentParser
internal import AsyncHTTPClient
internal import Cryptography
internal import Foundation
internal import GatewayClient
internal import LocalFiles
internal import LocalProcesses
internal import TextBasics
internal import TextReports

/// The `waypost backup` command, which saves a backup of a gateway's store.
struct BackupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save a consistent copy of everything that a running gateway has stored.",
        discussion: """
            The copy is the store as it was at one moment, of all namespaces; meanwhile, the gateway goes on. The file \
            appears only if it is complete. 'waypost restore' makes a store of it. A PostgreSQL store has its own \
            tools, such as pg_dump.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The file to write; it must not exist.", completion: .file())
    var file: String

    @OptionGroup(title: "Output") var output: OutputOptions

    /// The result of a backup.
    struct Result: Encodable, Sendable {
        /// The path of the file.
        let file: String

        /// The number of bytes of the file.
        let bytes: Int

        /// The SHA-256 digest of the file, in hexadecimal digits.
        let sha256: String
    }

    func perform() async throws {
        guard !FileManager.default.fileExists(atPath: file) else {
            throw CommandFailure.unusable("\(file): exists already; choose another name")
        }
        let command = self
        let result = try await InterruptibleRun.run {
            try await command.save(to: "\(command.file).partial-\(getpid())")
        }
        try output.write(result) { "saved \($0.file), \($0.bytes.formatted(.byteCount(style: .memory)))" }
    }

    /// Saves the backup at `partialPath`, and gives the file its final name when it is complete.
    private func save(to partialPath: String) async throws -> Result {
        defer { unlink(partialPath) }
        do {
            let target = try OpenFile(path: partialPath, O_WRONLY | O_CREAT | O_EXCL)
            let result = try await receive(into: target)
            try target.sync()
            // `link` never replaces a file, unlike `rename`.
            guard link(partialPath, file) == 0 else {
                throw CommandFailure.unusable("\(file): cannot be written: \(String(cString: strerror(errno)))")
            }
            try AtomicFile.syncDirectoryEntry(of: file)
            return result
        } catch let error as SystemError {
            throw CommandFailure.unusable("\(file): cannot be written: \(error)")
        }
    }

    private func receive(into target: OpenFile) async throws -> Result {
        var byteCount = 0
        let sha256 = SHA256()
        let progress = ProgressLine("saving", unit: .bytes, isQuiet: output.quiet)
        defer { progress.end() }
        var configuration = HTTPClient.Configuration.waypost
        configuration.timeout.read = nil
        let digest = try await gateway.withClient(configuration) { client in
            try await client.backup {
                progress.set(total: $0)
            } onChunk: { chunk in
                try target.write(Array(chunk))
                sha256.update(Array(chunk))
                byteCount += chunk.count
                progress.set(done: byteCount)
            }
        }
        let computedDigest = Data(sha256.finish())
        guard digest == nil || digest == computedDigest.base64EncodedString() else {
            throw CommandFailure.failed("the copy arrived incomplete; try again")
        }
        return Result(file: file, bytes: byteCount, sha256: Hexadecimal.string(computedDigest))
    }
}

/// The `waypost restore` command, which creates a store from a backup.
struct RestoreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a store of a backup, in a folder that has no store yet.",
        discussion: """
            Start a gateway there with 'waypost-gateway --store sqlite --data <folder>'. Exits with 2 if the file is not \
            a backup, is damaged, or was saved by a newer gateway, or if the folder has a store; nothing is changed then.
            """
    )

    @Argument(help: "The file from 'waypost backup'.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The data folder, which is created.", valueName: "folder"), completion: .directory)
    var data: String

    @Flag(name: .shortAndLong, help: "Print no result; the exit status has it.")
    var quiet = false

    func perform() async throws {
        let arguments = ["--restore", file, "--store", "sqlite", "--data", data]
        let result = try await ProgramRun.output(of: "waypost-gateway", arguments) { StandardError.write($0) }
        if !quiet { try StandardOutput.write(result) }
    }
}
