internal import ArgumentParser
internal import Foundation
internal import LocalProcesses

/// The `waypost manual` command, which writes the man pages.
struct ManualCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the man pages of all commands and programs into a folder.",
        discussion: """
            For one user: waypost manual ~/.local/share/man/man1; then 'man waypost-send' shows the help of 'waypost send'.
            """
    )

    @Argument(help: "The folder, which is created.", completion: .directory)
    var folder: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var pages = try ManualPage.all(of: WaypostCommand.self)
        for program in ["waypost-gateway", "waypost-agent"] {
            let description = try await ProgramRun.output(of: program, ["--experimental-dump-help"])
            pages.append(try ManualPage.page(of: program, description: description))
        }
        for page in pages {
            try OutputFile.write(Data(page.text.utf8), to: URL(filePath: folder).appending(path: page.fileName))
        }
        try output.write(pages.map(\.fileName)) { "wrote \($0.count) pages to \(folder)" }
    }
}
