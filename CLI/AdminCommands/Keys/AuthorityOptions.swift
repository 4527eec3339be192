internal import ArgumentParser
internal import Foundation
internal import LocalAuthority
internal import LocalProcesses
internal import WaypostSchema

/// The options that locate the certificate authority of a gateway.
struct AuthorityOptions: ParsableArguments {
    /// The folder of the authority that a gateway creates by default.
    static let defaultFolder = "waypost-data/ca"

    @Option(
        help: ArgumentHelp(
            "The ready file of the authority's gateway (default: that of the context or of WAYPOST_READY_FILE).",
            valueName: "file"
        ),
        completion: .file()
    )
    var readyFile: String?

    @Option(help: "The authority's folder, if there is no ready file (default: \(defaultFolder)).")
    var folder: String?

    @Option(help: ArgumentHelp("Use this context (see 'waypost context').", valueName: "name"), completion: .contexts)
    var context: String?

    func validate() throws {
        guard readyFile == nil || folder == nil else {
            throw ValidationError("give at most one of --ready-file and --folder")
        }
    }

    /// The location of an authority.
    struct Location {
        /// Its folder, which may be missing.
        let folder: AuthorityFolder

        /// The ready file of its gateway, if one was read.
        let readyFile: GatewayReadyFile?
    }

    /// Returns the location that options, the environment and the contexts name, in this order, or else the default one.
    ///
    /// - Throws: `CommandFailure` if a ready file cannot be used, or names no authority.
    func location(
        in contexts: @autoclosure () throws -> ContextsFile = try ContextsStorage().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location {
        if let folder { return Location(folder: AuthorityFolder(path: folder), readyFile: nil) }
        let file =
            try readyFile ?? ContextSettings.inEnvironment(environment).readyFile
            ?? contexts().currentSettings(option: context, environment).readyFile
        guard let file else { return Location(folder: AuthorityFolder(path: Self.defaultFolder), readyFile: nil) }
        let ready = try ReadyFiles.read(GatewayReadyFile.self, called: "gateway", from: file)
        guard let certificate = ready.ca else {
            throw CommandFailure.failed(
                "\(file): this gateway has no certificate authority; start it with --provider or --proxy"
            )
        }
        let folder = URL(filePath: certificate).deletingLastPathComponent().path
        return Location(folder: AuthorityFolder(path: folder), readyFile: ready)
    }
}
