import ArgumentParser
import LocalAuthority
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

/// Tests of the options that locate the certificate authority of a gateway.
@Suite struct AuthorityOptionsTests {
    private static func folder(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        _ contexts: ContextsFile = ContextsFile()
    ) throws -> String {
        try AuthorityOptions.parse(arguments).location(in: contexts, environment).folder.path
    }

    /// Writes the ready file of a gateway, with the path of its authority's certificate.
    private static func write(
        _ certificate: String?,
        to scratch: ScratchFolder,
        isOfStack: Bool = false
    ) throws -> String {
        let ca = certificate.map { #","ca":"\#($0)","proxy":"http://127.0.0.1:7334""# } ?? ""
        let gateway = #"{"service":"http://127.0.0.1:1","courier":"http://127.0.0.1:2"\#(ca)}"#
        return try scratch.write((isOfStack ? #"{"gateway":\#(gateway)}"# : gateway).utf8, to: "ready.json")
    }

    @Test func authorityIsThatOfTheReadyFileOrTheFolder() throws {
        let scratch = try ScratchFolder()
        let file = try Self.write("/data/ca/ca.pem", to: scratch)
        let contexts = ContextsFile(context: "local", contexts: ["local": ContextSettings(readyFile: file)])
        #expect(try Self.folder([]) == "waypost-data/ca")
        #expect(try Self.folder(["--folder", "elsewhere"], ["WAYPOST_READY_FILE": file]) == "elsewhere")
        #expect(try Self.folder(["--ready-file", file]) == "/data/ca")
        #expect(try Self.folder([], ["WAYPOST_READY_FILE": file]) == "/data/ca")
        #expect(try Self.folder([], [:], contexts) == "/data/ca")
        #expect(throws: (any Error).self) { try AuthorityOptions.parse(["--folder", "a", "--ready-file", "b"]) }
        #expect(throws: (any Error).self) { try AuthorityOptions.parse(["--folder", "a", "--context", "local"]) }
        // A gateway that is known by its URL alone has an authority somewhere else.
        let url = ["WAYPOST_GATEWAY": "http://127.0.0.1:9"]
        let error = #expect(throws: CommandFailure.self) { try Self.folder([], url, contexts) }
        #expect("\(String(describing: error))".contains("the authority of http://127.0.0.1:9 is not known"))
        let missing = #expect(throws: CommandFailure.self) {
            try AuthorityOptions.parse(["--folder", scratch.path(of: "none")]).location().certificatePath()
        }
        #expect("\(String(describing: missing))".contains("authority by --ready-file or --folder"))
    }

    @Test func readyFileOfAStackHasTheAuthorityOfItsGateway() throws {
        let scratch = try ScratchFolder()
        let file = try Self.write("/data/ca/ca.pem", to: scratch, isOfStack: true)
        let location = try AuthorityOptions.parse(["--ready-file", file]).location(in: ContextsFile(), [:])
        #expect(location.folder.path == "/data/ca")
        #expect(location.readyFile?.proxy == "http://127.0.0.1:7334")
    }

    @Test func gatewayWithoutAnAuthorityIsAnError() throws {
        let scratch = try ScratchFolder()
        let file = try Self.write(nil, to: scratch)
        let error = #expect(throws: CommandFailure.self) { try Self.folder(["--ready-file", file]) }
        #expect("\(String(describing: error))".contains("start it with --provider or --proxy"))
    }

    @Test(
        arguments: [
            (["--password", "honk"], "--out NAME.p12"),
            (["--legacy"], "--out NAME.p12"),
            (["--out", "a.p12"], "--password PASSWORD"),
            (["--out", "a.p12", "--password", "a", "--password-file", "b"], "either --password"),
            (["--out", "a.pem", "--password", "honk"], "--out NAME.p12"),
        ]
    )
    func pkcs12NeedsAFileAndAPassword(_ arguments: [String], _ advice: String) {
        let error = #expect(throws: (any Error).self) {
            try CertificateAuthorityClientCommand.parse(["--topic", "com.example.clowntown"] + arguments)
        }
        let message = error.map { CertificateAuthorityClientCommand.message(for: $0) } ?? ""
        #expect(message.contains(advice), "\(message)")
    }
}
