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
        abstract: "Print the JSON Schema of everything that Waypost reads and writes in JSON.",
        discussion: "Each type is a separate definition: '#/$defs/BatchItem' is one notification of a batch."
    )

    func perform() async throws {
        try StandardOutput.write(SchemaDocument.text)
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
