internal import ArgumentParser
internal import Foundation
internal import TextReports
internal import WaypostSchema

/// The version of Waypost.
enum Version {
    /// The output of `waypost version`.
    struct Report: Encodable {
        /// The number of the version.
        let version: String

        /// The commit from which the programs were installed; `nil` if they were not installed.
        let commit: String?

        /// The version of the schema.
        let schema: Int

        /// The build: `debug` or `release`.
        let build: String

        /// The report on one line.
        var text: String {
            "waypost \(version)\(commit.map { ", commit \($0)" } ?? ""), schema \(schema), \(build) build"
        }
    }

    /// The report about this program.
    static var report: Report {
        #if DEBUG
        let build = "debug"
        #else
        let build = "release"
        #endif
        return Report(
            version: ProgramVersion.current,
            commit: installedCommit,
            schema: SchemaVersion.current,
            build: build
        )
    }

    /// The content of the file `share/waypost/commit`, which `make install` writes beside the folder of the programs.
    private static var installedCommit: String? {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let prefix = program.deletingLastPathComponent().deletingLastPathComponent()
        let text = try? String(contentsOf: prefix.appending(path: "share/waypost/commit"), encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The `waypost version` command, which prints the version.
struct VersionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version of waypost and of its schema."
    )

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try output.write(Version.report) { $0.text }
    }
}

/// The `waypost schema` command, which prints the JSON Schema.
struct SchemaCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a kind of file, for editors, or of everything in JSON.",
        discussion: """
            Without a kind, the schema is that of everything that Waypost reads and writes in JSON. Each type is a \
            separate definition: '#/$defs/BatchItem' is one notification of a batch.

            With the YAML extension of an editor, a file names its schema in its first line:
            # yaml-language-server: $schema=schemas/device.json
            """
    )

    @Option(help: ArgumentHelp("Write the schemas of all kinds into this folder instead.", valueName: "folder"))
    var writeFiles: String?

    @Argument(help: "The kind of file (default: everything).")
    var kind: NameArgument<FileKind>?

    func validate() throws {
        if writeFiles != nil, kind != nil {
            throw ValidationError("--write-files writes all kinds; leave out the kind")
        }
    }

    func perform() async throws {
        if let writeFiles {
            try FileKind.writeSchemas(of: FileKind.allCases, to: URL(filePath: writeFiles))
        } else {
            try StandardOutput.write(kind?.value.schemaDocument() ?? SchemaDocument.text)
        }
    }
}

/// The `waypost completions` command, which prints the completions for a shell.
struct CompletionsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the script with which a shell completes commands, options and names.",
        discussion: """
            bash: write it to ~/.local/share/bash-completion/completions/waypost

            zsh: write it to the file _waypost in a folder of $fpath

            fish: write it to ~/.config/fish/completions/waypost.fish
            """
    )

    enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    @Argument(help: "The shell.")
    var shell: NameArgument<Shell>

    func perform() async throws {
        let shell: CompletionShell =
            switch shell.value {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        try StandardOutput.write(WaypostCommand.completionScript(for: shell) + "\n")
    }
}
