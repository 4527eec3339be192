import Foundation
import Testing
import WaypostTestSupport

/// Input that `waypost links` refuses.
@Suite(.timeLimit(.minutes(5))) struct LinksRefusalTests {
    private let files: LinkFiles

    init() throws {
        files = try LinkFiles()
    }

    struct Case: CustomTestStringConvertible {
        var arguments: [String]
        var input = ""
        var status: Int32
        var errors: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    /// Runs `waypost links`, with the path of the association file in place of `@`.
    private func run(_ example: Case) async throws {
        let arguments = example.arguments.map { $0 == "@" ? files.association : $0 }
        let result = try await Program.run("waypost", ["links"] + arguments, input: example.input)
        #expect(result.status == example.status, "\(result.errors)")
        #expect(result.errors.contains(example.errors), "\(result.errors)")
        #expect(result.output.isEmpty, "\(result.output)")
        #expect(!result.errors.contains("Fatal error") && !result.errors.contains("Swift."))
    }

    @Test(arguments: [
        Case(
            arguments: ["match", "--association", "/nowhere"],
            status: 2,
            errors: "waypost: /nowhere: cannot be read: it does not exist\n"
        ),
        Case(
            arguments: ["match", "--association", "/tmp", "--url", "x"],
            status: 2,
            errors: "/tmp: cannot be read: it is a folder"
        ),
        Case(
            arguments: ["match", "--association", "-", "--url", "x"],
            input: "{",
            status: 2,
            errors: "standard input: "
        ),
        Case(arguments: ["match", "--association", "@", "/nowhere"], status: 2, errors: "/nowhere: cannot be read"),
        Case(
            arguments: ["match", "--association", "@", "--domain", "https://a.example"],
            status: 2,
            errors: "--domain 'https://a.example' is not a domain"
        ),
        Case(arguments: ["match"], status: 64, errors: "--association"),
        Case(
            arguments: ["match", "--association", "@", "--url", "x", "urls.txt"],
            status: 64,
            errors: "--url cannot be combined with files"
        ),
        Case(
            arguments: ["match", "--association", "@", "--language", "xx"],
            status: 64,
            errors: "--language 'xx' is not an ISO language code"
        ),
        Case(
            arguments: ["match", "--association", "@", "--region", "UK"],
            status: 64,
            errors: "--region 'UK' is not an ISO region code"
        ),
        Case(arguments: ["match", "--association", "-"], status: 64, errors: "standard input cannot be both"),
    ])
    func matchReportsInvalidInput(_ example: Case) async throws {
        try await run(example)
    }

    @Test(arguments: [
        Case(arguments: ["check"], status: 64, errors: "give exactly one of a file, --association and --fetch"),
        Case(arguments: ["check", "--association", "@", "--fetch", "a.example"], status: 64, errors: "exactly one of"),
        Case(
            arguments: ["check", "--association", "@", "--from", "http://127.0.0.1:1"],
            status: 64,
            errors: "--from requires --fetch"
        ),
        Case(
            arguments: ["check", "--association", "@", "--app", "com.example.clowntown"],
            status: 64,
            errors: "--app: 'com.example.clowntown' has no prefix"
        ),
        Case(arguments: ["check", "--association", "/nowhere"], status: 2, errors: "/nowhere: cannot be read"),
        Case(
            arguments: ["check", "--fetch", "a.example", "--from", "http://a.example"],
            status: 2,
            errors: "--from: 'http://a.example' cannot be a development server: http is only for this machine"
        ),
        Case(
            arguments: ["check", "--fetch", "a.example", "--from", "ftp://127.0.0.1"],
            status: 2,
            errors: "--from: 'ftp://127.0.0.1' cannot be a development server"
        ),
        Case(
            arguments: ["check", "--fetch", "a.example", "--cdn", "http://a.example"],
            status: 2,
            errors: "--cdn 'http://a.example': http is only for this machine"
        ),
        Case(arguments: ["check", "--fetch", "a.example/path"], status: 2, errors: "'a.example/path' is not a domain"),
    ])
    func checkReportsInvalidInput(_ example: Case) async throws {
        try await run(example)
    }

    @Test(arguments: [[], ["--trace"], ["--format", "json"], ["--format", "table"]])
    func lineThatIsNotUTF8IsReported(_ options: [String]) async throws {
        let urls = try files.write(Array("\nhttps://a.example/\u{E9}\n".utf8) + [0xE9, 0x0A], to: "urls")
        let arguments = ["links", "match", "--association", files.association] + options + [urls]
        let result = try await Program.run("waypost", arguments)
        #expect(result.status == 2)
        #expect(result.errors == "waypost: \(urls), line 3: the line is not UTF-8\n")
    }

    @Test func readerThatStopsEarlyCausesNoError() async throws {
        let waypost = "\(BuiltPrograms.path(of: "waypost")) links match --association \(files.association)"
        let command = "set -o pipefail; yes https://a.example/clowns/1 | \(waypost) | head -n 1; echo ${PIPESTATUS[1]}"
        let result = try await Program.run("bash", ["-c", command])
        #expect(result.output.hasPrefix("{") && result.output.hasSuffix("}\n141\n"), "\(result.output)")
        #expect(result.errors.isEmpty, "\(result.errors)")
    }
}
