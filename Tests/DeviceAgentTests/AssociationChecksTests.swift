import DeviceAgent
import Gateway
import GatewayClient
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import LocalFiles
import NIOCore
import Synchronization
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The association files that an agent has and fetches.
@Suite(.timeLimit(.minutes(5))) struct AssociationChecksTests {
    private static let now = AgentSources.waiting.now()

    @Test func readyAgentHasAskedEveryDomain() async throws {
        try await LinkedAgent.run { agent in
            let files = try await agent.client.associationFiles(of: LinkedAgent.name)
            #expect(files.map(\.domain) == ["balloons.example", "clowntown.example"])
            #expect(files.map(\.source) == [agent.missingPath, agent.path])
            #expect(files.map(\.checkedAt) == [Self.now, Self.now])
            #expect(files.map(\.fetchedAt) == [nil, Self.now])
            #expect(files.map(\.failure?.code) == [.unreadable, nil])
        }
    }

    @Test func fileOfAnyDomainIsFetchedAndChangesNothing() async throws {
        try await LinkedAgent.run { agent in
            let before = try await agent.client.associationFiles(of: LinkedAgent.name)
            let known = try await agent.client.associationContent(of: "clowntown.example", on: LinkedAgent.name)
            #expect(known.source == agent.path)
            #expect(known.file?.contains("applinks") == true && known.failure == nil)
            for domain in ["127.0.0.1", "localhost", "not a domain"] {
                let other = try await agent.client.associationContent(of: domain, on: LinkedAgent.name)
                #expect(other.file == nil)
                #expect(other.failure?.code == .unreachable, "\(domain)")
            }
            let after = try await agent.client.associationFiles(of: LinkedAgent.name)
            #expect(after == before)
        }
    }

    @Test(arguments: ["{", "[]", ""])
    func previousFileStaysInUseAndTheFailureIsReported(_ broken: String) async throws {
        try await LinkedAgent.run { agent in
            try agent.replaceFile(with: broken)
            let files = try await agent.client.checkAssociations(of: LinkedAgent.name)
            let file = try #require(files.last)
            #expect(file.domain == "clowntown.example")
            #expect(file.fetchedAt == Self.now)
            #expect(file.failure?.code == .notJSON)
            #expect(try await agent.client.associationFiles(of: LinkedAgent.name) == files)
            let decision = try #require(try await agent.client.explain(LinkedAgent.url, on: LinkedAgent.name).first)
            #expect(decision.matched && decision.reason == .matched)
            #expect(decision.file == file)
            #expect(decision.explanation.contains(try #require(file.failure).message), "\(decision.explanation)")
        }
    }

    @Test func nextDecisionIsAboutAnEditedLocalFile() async throws {
        try await LinkedAgent.run { agent in
            try agent.replaceFile(with: LinkedAgent.file("/balloons/*"))
            let explained = try await agent.client.explain(LinkedAgent.url, on: LinkedAgent.name)
            #expect(explained.map(\.reason) == [.noRuleMatched])
            try agent.replaceFile(with: LinkedAgent.file("/clowns/*"))
            let opened = try await agent.client.openURL(LinkedAgent.url, on: LinkedAgent.name)
            #expect(opened.destination == .app)
            try agent.replaceFile(with: "{")
            let broken = try await agent.client.explain(LinkedAgent.url, on: LinkedAgent.name)
            #expect(broken.map(\.file?.failure?.code) == [.notJSON])
        }
    }

    @Test func domainsThatShareALocalFileAllReadItAgain() async throws {
        try await LinkedAgent.run(sharingTheFile: true) { agent in
            let edits: [(String, LinkDecision.Reason)] = [("/balloons/*", .noRuleMatched), ("/clowns/*", .matched)]
            for (pattern, reason) in edits {
                try agent.replaceFile(with: LinkedAgent.file(pattern))
                for url in [LinkedAgent.url, "https://balloons.example/clowns/crusty"] {
                    let decisions = try await agent.client.explain(url, on: LinkedAgent.name)
                    #expect(decisions.map(\.reason) == [reason], "\(url)")
                }
            }
        }
    }

    /// A check of one domain, or a file that was read and not stored, hides no change.
    @Test func onlyTheRequestThatStoredAFileHasReadIt() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("a".utf8, to: "file")
        let (files, first, second) = (ReadFiles(), Self.request("a.example"), Self.request("b.example"))
        #expect(files.hasChanged(path, for: first))
        for request in [first, second] { files.record(FileVersion(of: path), for: request) }
        #expect(!files.hasChanged(path, for: first) && !files.hasChanged(path, for: second))
        _ = try folder.write("ab".utf8, to: "file")
        files.record(FileVersion(of: path), for: first)
        #expect(!files.hasChanged(path, for: first))
        #expect(files.hasChanged(path, for: second))
        let missingPath = folder.path(of: "missing")
        files.record(FileVersion(of: missingPath), for: first)
        #expect(!files.hasChanged(missingPath, for: first))
        #expect(files.hasChanged(path, for: first))
    }

    private static func request(_ domain: String) -> AssociationRequest {
        AssociationRequest(domain: domain, isDevelopment: true)
    }

    @Test func unchangedLocalFileIsReadOnce() async throws {
        try await LinkedAgent.run { agent in
            let length = try await agent.client.journalLength(of: LinkedAgent.name)
            _ = try await agent.client.explain(LinkedAgent.url, on: LinkedAgent.name)
            #expect(try await agent.client.journalLength(of: LinkedAgent.name) == length)
        }
    }

    @Test func localFileIsReadAgainAtTheStart() async throws {
        let folder = try ScratchFolder()
        let (path, data) = (folder.path(of: "a.json"), folder.path(of: "data"))
        var reasons: [LinkDecision.Reason] = []
        for pattern in ["/clowns/*", "/balloons/*"] {
            _ = try folder.write(LinkedAgent.file(pattern).utf8, to: "a.json")
            reasons += try await LinkedAgent.answers(of: path, data: data).decisions.map(\.reason)
        }
        #expect(reasons == [.matched, .noRuleMatched])
    }

    @Test func deviceInAirplaneModeFetchesNothingAndSaysSo() async throws {
        try await LinkedAgent.run { agent in
            _ = try await agent.client.apply(.setting(.airplaneModeSet(isOn: true)), to: LinkedAgent.name)
            let error = await #expect(throws: CallError.self) {
                _ = try await agent.client.checkAssociations(of: LinkedAgent.name)
            }
            #expect(error?.code == "offline")
            #expect(try await agent.client.devices().map(\.isInAirplaneMode) == [true])
        }
    }

    @Test func fileFromAnotherSourceIsFetchedAtTheStart() async throws {
        let folder = try ScratchFolder()
        for name in ["a.json", "b.json"] { _ = try folder.write(LinkedAgent.file("/clowns/*").utf8, to: name) }
        for name in ["a.json", "b.json"] {
            let path = folder.path(of: name)
            let files = try await LinkedAgent.answers(of: path, data: folder.path(of: "data")).files
            #expect(files.map(\.source) == [path])
        }
    }

    /// The second installation is made while the request of the first has no answer yet.
    @Test func installationDuringARequestFetchesTheFileAgain() async throws {
        let requestCount = Mutex(0)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Int.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let respond: @Sendable (Request) async -> Response = { _ in
            let number = requestCount.withLock { count in
                count += 1
                return count
            }
            arrival.yield(number)
            if number == 2 { _ = await releases.first { true } }
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: LinkedAgent.file("/clowns/*")))
            )
        }
        try await LoopbackServer.run(responding: respond) { server in
            try await LinkedAgent.run(fetchingFrom: server) { client in
                let installation = DeviceEvent.system(.appInstalled(LinkedAgent.installedApp))
                _ = try await client.apply(installation, to: LinkedAgent.name)
                #expect(await arrivals.first { $0 == 2 } != nil)
                _ = try await client.apply(installation, to: LinkedAgent.name)
                release.yield()
                #expect(await arrivals.first { $0 == 3 } != nil)
            }
        }
    }

    /// Only the device's development table may lead to this machine.
    @Test(arguments: ["127.0.0.1", "localhost", "0x7f.1"]) func domainOnThisMachineIsNotAsked(
        _ domain: String
    ) async throws {
        try await LinkedAgent.run { agent in
            let app = AppDescription(
                bundleIdentifier: "com.example.evil",
                applicationIdentifier: "ABCDE12345.com.example.evil",
                associatedDomains: ["applinks:\(domain)?mode=developer"],
                scenes: []
            )
            _ = try await agent.client.apply(.system(.appInstalled(app)), to: LinkedAgent.name)
            let files = try await agent.client.checkAssociations(of: LinkedAgent.name)
            #expect(!files.contains { $0.domain == domain })
        }
    }

    @Test func failedDomainIsCheckedAgainWithTheOthers() async throws {
        try await LinkedAgent.run { agent in
            let files = try await agent.client.checkAssociations(of: LinkedAgent.name)
            #expect(files.map(\.domain) == ["balloons.example", "clowntown.example"])
            #expect(files.map(\.failure?.code) == [.unreadable, nil])
        }
    }

    @Test(arguments: ["Somebody's iPad", ""])
    func unknownDeviceHasNoFiles(_ name: String) async throws {
        try await LinkedAgent.run { agent in
            for call in [agent.client.associationFiles, agent.client.checkAssociations] {
                let error = await #expect(throws: CallError.self) { _ = try await call(name) }
                #expect(error?.status == 404)
            }
        }
    }
}

extension CallError {
    /// The status of the refusal, if this is one.
    var status: Int? {
        guard case .refused(let status, _) = self else { return nil }
        return status
    }

    /// The error code of the refusal, if this is one.
    var code: APIError.Code? {
        guard case .refused(_, let refusal) = self else { return nil }
        return refusal.code
    }
}
