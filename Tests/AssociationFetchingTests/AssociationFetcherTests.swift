import Foundation
import NIOHTTP1
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

@testable import AssociationFetching

@Suite(.timeLimit(.minutes(5))) struct AssociationFetcherTests {
    @Test func fileIsFetchedUnchanged() async throws {
        let steps: [AssociationServer.Step] = [
            .head(200, [("content-type", "application/json"), ("content-length", "\(ClownTownFile.bytes.count)")]),
            .bytes(ClownTownFile.bytes), .end,
        ]
        try await AssociationServer.run(.answers(steps)) { server in
            let file = try await AssociationFetcher.outcome(of: .developmentServer(server.base)).get()
            #expect(file.bytes == ClownTownFile.bytes)
            #expect(file.source == server.base + "/.well-known/apple-app-site-association")
            #expect(file.contentType == "application/json")
        }
    }

    @Test(arguments: [[("content-length", "131072")], [], [("content-encoding", "identity")]])
    func fileMayHaveTheMaximumSize(_ headers: [(String, String)]) async throws {
        let bytes = ClownTownFile.padded(to: AssociationFile.maximumSize)
        try await AssociationServer.run(.answers([.head(200, headers), .bytes(bytes), .end])) { server in
            let file = try await AssociationFetcher.outcome(of: .developmentServer(server.base)).get()
            #expect(file.bytes == bytes)
            #expect(file.contentType == nil)
        }
    }

    @Test(arguments: [(AssociationUserAgent.device, "waypost"), (.appleFetcher, "AASA-Bot/1.0.0")])
    func requestHasAUserAgentAndAcceptsGzip(_ userAgent: AssociationUserAgent, _ name: String) async throws {
        try await AssociationServer.run(.answers([.head(200, []), .end])) { server in
            let location = AssociationLocation.developmentServer(server.base + "/")
            _ = try await AssociationFetcher.outcome(of: location, as: userAgent).get()
            var requests = server.requests.makeAsyncIterator()
            let request = try #require(await requests.next())
            #expect(request.method == .GET)
            #expect(request.uri == "/.well-known/apple-app-site-association")
            #expect(request.headers["user-agent"] == [name])
            #expect(request.headers[canonicalForm: "accept-encoding"].contains("gzip"))
        }
    }

    @Test func copyOfTheCDNHasItsAge() async throws {
        let headers = [("age", "3600"), ("last-modified", "Tue, 01 Sep 2026 09:00:00 GMT")]
        let steps: [AssociationServer.Step] = [.head(200, headers), .bytes(ClownTownFile.bytes), .end]
        try await AssociationServer.run(.answers(steps)) { server in
            let location = AssociationLocation.cdn(base: server.base, domain: "clowntown.example")
            let file = try await AssociationFetcher.outcome(of: location).get()
            #expect(file.bytes == ClownTownFile.bytes)
            #expect(file.source == server.base + "/a/v1/clowntown.example")
            #expect(file.age == "3600")
            #expect(file.lastModified == "Tue, 01 Sep 2026 09:00:00 GMT")
            var requests = server.requests.makeAsyncIterator()
            #expect(await requests.next()?.uri == "/a/v1/clowntown.example")
        }
    }

    @Test(arguments: BadAnswer.all) func badAnswerHasItsFailure(_ answer: BadAnswer) async throws {
        try await AssociationServer.run(.answers(answer.steps)) { server in
            let location = AssociationLocation.developmentServer(server.base)
            let outcome = try await AssociationFetcher.outcome(of: location, timeout: answer.timeout)
            #expect(outcome.failure == answer.failure)
        }
    }

    @Test(arguments: BadAnswer.all) func badAnswerLeavesTheEarlierFileInUse(_ answer: BadAnswer) async throws {
        try await AssociationServer.run(.answers(answer.steps)) { server in
            try await expectEarlierFileInUse(server, timeout: answer.timeout, answer.failure)
        }
    }

    @Test(arguments: [#"{"applinks":"#, "<html></html>", ""])
    func invalidJSONLeavesTheEarlierFileInUse(_ text: String) async throws {
        let steps: [AssociationServer.Step] = [.head(200, []), .bytes(Array(text.utf8)), .end]
        try await AssociationServer.run(.answers(steps)) { server in
            let failure = try await expectEarlierFileInUse(server)
            #expect(failure?.code == .notJSON)
        }
    }

    @Test(arguments: [ClownTownFile.bytes, ClownTownFile.padded(to: AssociationFile.maximumSize)])
    func compressedFileIsDecompressed(_ bytes: [UInt8]) async throws {
        let steps = try await Self.gzipped(Data(bytes)) + [.end]
        try await AssociationServer.run(.answers(steps)) { server in
            let file = try await AssociationFetcher.outcome(of: .developmentServer(server.base)).get()
            #expect(file.bytes == bytes)
        }
    }

    @Test(arguments: [AssociationFile.maximumSize + 1, 64 << 20])
    func compressedFileThatIsTooLargeIsRefused(_ count: Int) async throws {
        let steps = try await Self.gzipped(Data(count: count)) + [.end]
        try await AssociationServer.run(.answers(steps)) { server in
            let message = "the file has more than 131072 bytes, the most that a device reads"
            let failure = try await expectEarlierFileInUse(server)
            #expect(failure == AssociationFailure(code: .tooLarge, message: message))
        }
    }

    @Test func truncatedCompressedFileIsRefused() async throws {
        let whole = try await ExternalCommand.run(["gzip", "--stdout"], input: Data(ClownTownFile.bytes))
        let steps: [AssociationServer.Step] = [
            .head(200, [("content-encoding", "gzip")]), .bytes(Array(whole.dropLast(4))), .end,
        ]
        try await AssociationServer.run(.answers(steps)) { server in
            let failure = try await expectEarlierFileInUse(server)
            #expect(failure == AssociationFailure(code: .notJSON, message: BadAnswer.unpackable))
        }
    }

    /// Returns the head and the body of a compressed answer.
    private static func gzipped(_ plain: Data) async throws -> [AssociationServer.Step] {
        let packed = try await ExternalCommand.run(["gzip", "--stdout"], input: plain)
        try #require(packed.count < AssociationFile.maximumSize)
        return [
            .head(200, [("content-encoding", "gzip"), ("content-length", "\(packed.count)")]), .bytes(Array(packed)),
        ]
    }

    /// Expects that an earlier file still decides on a URL although the server's file cannot be used.
    ///
    /// - Returns: The failure that the record has.
    @discardableResult
    private func expectEarlierFileInUse(
        _ server: AssociationServer,
        timeout: Duration = AssociationFetcher.unhurried,
        _ failure: AssociationFailure? = nil
    ) async throws -> AssociationFailure? {
        let (earlier, now) = (Timestamp(milliseconds: 1_790_000_000_000), Timestamp(milliseconds: 1_790_600_000_000))
        var record = AssociationRecord(domain: "clowntown.example", source: "earlier")
        record.recordFetch(.success(ClownTownFile.bytes), from: "earlier", at: earlier)
        let location = AssociationLocation.developmentServer(server.base)
        let outcome = try await AssociationFetcher.outcome(of: location, timeout: timeout)
        record.recordFetch(outcome.map(\.bytes), from: location.source, at: now)

        let app = ApplicationIdentifier(rawValue: ClownTownFile.app)
        let association = LinkAssociation(app: app, entries: ["applinks:clowntown.example"])
        var records = AssociationRecords()
        records[AssociationRequest(domain: record.domain, isDevelopment: false)] = record
        #expect(association.decision(on: ClownTownFile.url, records: records).reason == .matched)
        #expect(record.status.source == location.source)
        #expect(record.status.fetchedAt == earlier)
        #expect(record.status.checkedAt == now)
        if let failure { #expect(record.status.failure == failure) }
        return record.status.failure
    }

    @Test func answerThatIsNotHTTPIsUnreachable() async throws {
        try await AssociationServer.run(.says("220 mail.clowntown.example ESMTP\r\n")) { server in
            let outcome = try await AssociationFetcher.outcome(of: .developmentServer(server.base))
            let message = "the server's response is not HTTP"
            #expect(outcome.failure == AssociationFailure(code: .unreachable, message: message))
        }
    }

    @Test func portWithoutAServerIsUnreachable() async throws {
        // The system never assigns this port to a process that asks for a free one.
        let outcome = try await AssociationFetcher.outcome(of: .developmentServer("http://127.0.0.1:1"))
        let message = "the server cannot be reached: Connection refused"
        #expect(outcome.failure == AssociationFailure(code: .unreachable, message: message))
    }

    @Test func unknownHostIsUnreachable() async throws {
        // A label of a name has at most 63 letters, so no name server is asked.
        let domain = String(repeating: "a", count: 64) + ".example"
        let outcome = try await AssociationFetcher.outcome(of: .domain(domain))
        let message = "the host '\(domain)' is not known"
        #expect(outcome.failure == AssociationFailure(code: .unreachable, message: message))
    }

    @Test(arguments: [
        "", "clowntown.example/", "clowntown.example:8443", "a@b.example", "clown town", "b\u{FC}cher.example",
    ])
    func invalidDomainIsNotAsked(_ domain: String) async throws {
        let message = "'\(domain)' is not a domain; use a name such as clowntown.example"
        for location in [AssociationLocation.domain(domain), .cdn(base: "http://127.0.0.1:1", domain: domain)] {
            let outcome = try await AssociationFetcher.outcome(of: location)
            #expect(outcome.failure == AssociationFailure(code: .unreachable, message: message))
        }
    }

    @Test(arguments: [[], [AssociationServer.Step.head(200, [])]])
    func cancellationEndsTheRequest(_ steps: [AssociationServer.Step]) async throws {
        try await AssociationServer.run(.answers(steps)) { server in
            let (base, requests) = (server.base, server.requests)
            let outcome = try await withThrowingTaskGroup(of: AssociationFailure?.self) { group in
                group.addTask { try await AssociationFetcher.outcome(of: .developmentServer(base)).failure }
                for await _ in requests { break }
                group.cancelAll()
                return try await group.next()
            }
            #expect(outcome == AssociationFailure(code: .timedOut, message: "the request for the file was canceled"))
            // The server sees the end of the connection, too.
            for await _ in server.closings { break }
        }
    }
}
