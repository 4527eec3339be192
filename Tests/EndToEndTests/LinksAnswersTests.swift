import Foundation
import Testing
import WaypostTestSupport

/// The time at which `waypost links match` writes its answers.
@Suite(.timeLimit(.minutes(5))) struct LinksAnswersTests {
    private let files: LinkFiles

    init() throws {
        files = try LinkFiles()
    }

    @Test(arguments: [[], ["--trace"], ["--domain", "a.example"]])
    func answersAreWrittenWhileTheInputIsOpen(_ options: [String]) async throws {
        let arguments = ["--association", files.association, "--app", LinkFiles.clownTown] + options
        let command = """
            coproc \(BuiltPrograms.path(of: "waypost")) links match \(arguments.joined(separator: " "))
            for number in 1 2 3; do
              echo "https://a.example/clowns/$number" >&"${COPROC[1]}"
              read -r -t 30 line <&"${COPROC[0]}" && echo "$line"
            done
            """
        let result = try await Program.run("bash", ["-c", command])
        #expect(
            result.output.split(separator: "\n").map { $0.suffix(3) } == ["1\"}", "2\"}", "3\"}"],
            "\(result.errors)"
        )
    }

    /// If answers are written line by line, those before an unreadable line are written.
    @Test(arguments: [[], ["--trace"]])
    func linesBeforeAnUnreadableOneAreAnswered(_ options: [String]) async throws {
        let urls = try files.write(Array("https://a.example/\nhttps://b.example/\n".utf8) + [0xE9, 0x0A], to: "urls")
        let more = try files.write("https://a.example/\nhttps://b.example/".utf8, to: "more")
        for input in [[urls], [more, "/nowhere"]] {
            let arguments = ["links", "match", "--association", files.association, "--app", "x"] + options + input
            let result = try await Program.run("waypost", arguments)
            #expect(result.status == 2)
            #expect(result.output.split(separator: "\n").count == 2, "\(result.output)")
        }
    }
}
