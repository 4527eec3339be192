import Foundation
import Testing
import WaypostTestSupport

/// The script that installs the programs.
@Suite(.timeLimit(.minutes(5))) struct InstallScriptTests {
    @Test func nothingIsInstalledWithoutTheSourcesOfTheSwiftPackages() async throws {
        let (folder, files) = (try ScratchFolder(), FileManager.default)
        let (script, root) = (folder.path(of: "CLI/Packaging/install.sh"), folder.path(of: "root"))
        try files.createDirectory(atPath: folder.path(of: "CLI/Packaging"), withIntermediateDirectories: true)
        try files.copyItem(atPath: Repository.root.appending(path: "CLI/Packaging/install.sh").path, toPath: script)
        let command = #"bash "$1" "$2" /usr 2>&1 && exit 1; exit 0"#
        let output = try await ExternalCommand.run(["bash", "-c", command, "bash", script, root])
        let text = String(decoding: output, as: UTF8.self)
        let message = "checkouts has no Swift packages; run CLI/Packaging/build.sh release first\n"
        #expect(text.hasSuffix(message), "\(text)")
        #expect(!files.fileExists(atPath: root))
        withExtendedLifetime(folder) {}
    }
}
