import Foundation
import Testing
import WaypostTestSupport

/// The script that builds, with a compiler of the test in place of `swift`.
@Suite(.timeLimit(.minutes(5))) struct BuildScriptTests {
    /// A compiler that fails with a long line, a long error and a hundred short ones.
    private static let compiler = """
        #!/bin/bash
        line() { head --bytes=1000000 /dev/zero | tr '\\0' x; echo; }
        line
        printf 'a.swift:1:1: error: '
        line
        for number in $(seq 100); do echo "a.swift:$number:1: error: honk $number"; done
        exit 1
        """

    @Test func longLinesAndManyErrorsAreCut() async throws {
        let (folder, files) = (try ScratchFolder(), FileManager.default)
        let (script, swift) = (folder.path(of: "CLI/Packaging/build.sh"), folder.path(of: "swift"))
        try files.createDirectory(atPath: folder.path(of: "CLI/Packaging"), withIntermediateDirectories: true)
        try files.copyItem(atPath: Repository.root.appending(path: "CLI/Packaging/build.sh").path, toPath: script)
        _ = try folder.write(Self.compiler.utf8, to: "swift")
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
        let command = #"PATH="$1:$PATH"; bash "$2" quick 2>&1 && exit 1; exit 0"#
        let output = try await ExternalCommand.run(["bash", "-c", command, "bash", folder.path, script])
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("error: ") } == 50)
        #expect(lines.contains("There are 51 more lines with errors."))
        #expect(lines.contains("The build failed; the whole log is .build/quick/build.log."))

        let log = try Repository.lines(of: URL(filePath: folder.path(of: ".build/quick/build.log")))
        #expect(log.count == 102)
        #expect((lines.map(\.utf8.count) + log.map(\.utf8.count)).max() == 2_000)
        #expect(log.last == "a.swift:100:1: error: honk 100")
        withExtendedLifetime(folder) {}
    }
}
