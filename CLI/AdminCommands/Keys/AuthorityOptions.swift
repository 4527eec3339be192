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
        guard [readyFile, folder, context].compactMap(\.self).count <= 1 else {
            throw ValidationError("give at most one of --ready-file, --folder and --context")
        }
    }

    /// The location of an authority.
    struct Location {
        /// Its folder, which may be missing.
        let folder: AuthorityFolder

        /// The ready file of its gateway, if one was read.
        let readyFile: GatewayReadyFile?

        /// Returns the absolute path of its certificate.
        ///
        /// - Throws: `CommandFailure` if it cannot be read; another authority would not help, because no gateway uses it.
        func certificatePath() throws -> String {
            let path = folder.authorityCertificatePath
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw CommandFailure.unusable(
                    "\(path): cannot be read; name the gateway's authority by --ready-file or --folder (a gateway creates "
                        + "it at its first start with --provider or --proxy)"
                )
            }
            return URL(filePath: path).standardizedFileURL.path
        }
    }

    /// Returns the location that options, the environment and the contexts name, in this order, or else the default one.
    ///
    /// - Throws: `CommandFailure` if a ready file cannot be used, or names no authority.
    func location(
        in contexts: @autoclosure () throws -> ContextsFile = try ContextsStorage().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location {
        if let folder { return Location(folder: AuthorityFolder(path: folder), readyFile: nil) }
        let settings = [
            ContextSettings(readyFile: readyFile), .inEnvironment(environment),
            try contexts().currentSettings(option: context, environment),
        ]
        guard let named = settings.first(where: { $0.readyFile != nil || $0.gateway != nil }) else {
            return Location(folder: AuthorityFolder(path: Self.defaultFolder), readyFile: nil)
        }
        guard let file = named.readyFile else {
            throw CommandFailure.unusable(
                "the authority of \(named.gateway ?? "") is not known; name it by --ready-file or --folder"
            )
        }
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
