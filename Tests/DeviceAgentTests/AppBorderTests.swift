import AsyncHTTPClient
import DeviceAgent
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

/// The data of Shared with You that an app can get over its socket.
///
/// The time limit allows for a test with four agents one after another, on a busy machine.
@Suite(.timeLimit(.minutes(5))) struct AppBorderTests {
    private static func refusal(_ work: () async throws -> Void) async throws -> (status: Int, code: String) {
        do {
            try await work()
        } catch CallError.refused(let status, let error) {
            return (status, error.code.rawValue)
        }
        return (200, "")
    }

    @Test(.proves("B12")) func appReadsItsHighlightsAndReceivesUpdates() async throws {
        try await AppAgent.run { agent in
            let tv = try await agent.process(of: AppAgent.tv)
            let events = try await tv.events {
                try await agent.apply(AppAgent.scenario)
            } until: { events in
                events.contains { event in
                    guard case .highlightsChanged(let update) = event else { return false }
                    return update.changes.contains { $0.highlight.url == AppAgent.url }
                }
            }
            #expect(!events.isEmpty)
            let page = try await tv.highlights(limit: 10)
            #expect(page.highlights.map(\.url) == [AppAgent.url])
        }
    }

    /// The three types in the order in which an app uses them: the center lists highlights, and each highlight has a
    /// view.
    @Test(.proves("B71")) func processUsesTheCenterItsHighlightsAndTheirViews() async throws {
        let other = "https://tv.example/shows/severance"
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let message = Message(id: "m2", conversation: "c1", sender: "+14085550101", text: other)
            try await agent.apply([.sharing(.messageReceived(message)), .sharing(.linkPinned("m2", url: nil))])
            let (tv, calls) = (try await agent.process(of: AppAgent.tv), try await agent.calls(of: AppAgent.tv))
            let highlights = try await tv.highlights(limit: 10).highlights
            #expect(Set(highlights.map(\.url)) == [AppAgent.url, other])
            #expect(Set(highlights.map(\.id)).count == 2)
            var views: Set<AttributionViewID> = []
            for highlight in highlights {
                let found: Highlight = try await calls.get("/v1/app/highlight?url=\(highlight.url)")
                #expect(found == highlight)
                let view = try await tv.attribution(AttributionRequest(url: highlight.url))
                #expect(view.app == AppAgent.tv && view.size.width > 0)
                let same: AttributionView = try await calls.get("/v1/app/attributions/\(view.view)")
                #expect(same == view)
                views.insert(view.view)
            }
            #expect(views.count == 2)
            // The view of a highlight ends with it, and the other one stays.
            let first = try #require(highlights.first)
            try await agent.apply([.sharing(.linkRemoved(url: first.url))])
            let left = try await tv.highlights(limit: 10).highlights
            #expect(left == Array(highlights.dropFirst()))
            var found: [Int] = []
            for view in views {
                let answer = try await Self.refusal {
                    let _: AttributionView = try await calls.get("/v1/app/attributions/\(view)")
                }
                found.append(answer.status)
            }
            #expect(found.sorted() == [200, 404])
        }
    }

    @Test(.proves("B18", "B19", "B61")) func attributionViewIsAHandleForTheAppAndAPictureForTheDevice() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let tv = try await agent.process(of: AppAgent.tv)
            let view = try await tv.attribution(AttributionRequest(url: AppAgent.url))
            #expect(view.size.width > 0)
            #expect(view.view.rawValue.count == 26)
            let report: AttributionReport = try await agent.control.get("/v1/attributions/\(view.view)")
            #expect(report.text.contains("Enrique"))
            let picture = try await agent.gateway.http.execute(
                HTTPClientRequest(url: "\(agent.ready.control)/v1/attributions/\(view.view).svg"),
                timeout: .seconds(60)
            )
            #expect(picture.headers.first(name: "content-type") == "image/svg+xml")
            #expect(String(buffer: try await picture.body.collect(upTo: 1 << 20)).contains("Enrique"))
            let apps = try #require(agent.ready.apps)
            let other = try await agent.gateway.http.execute(
                HTTPClientRequest(url: "\(apps)/v1/attributions/\(view.view).svg"),
                timeout: .seconds(60)
            )
            #expect(other.status == .notFound)
        }
    }

    @Test(.proves("B24", "B25")) func tapPresentsAConversationWithoutRevealingItToTheApp() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let tv = try await agent.process(of: AppAgent.tv)
            let events = try await tv.events {
                let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
                let tapped = try await agent.client.apply(
                    .attribution(.attributionTapped(AppAgent.tv, view, nil)),
                    to: AppAgent.device
                )
                #expect(
                    tapped.effects.contains {
                        if case .attribution(.conversationPresented) = $0 { true } else { false }
                    }
                )
                let reply = Message(id: "r1", conversation: "c1", text: "Watched it")
                let replied = try await agent.client.apply(.attribution(.replySent(reply)), to: AppAgent.device)
                #expect(
                    replied.effects.contains { if case .attribution(.contentReturned) = $0 { true } else { false } }
                )
            } until: { events in
                events.contains {
                    if case .presentationChanged(let notice) = $0 {
                        notice.state == .dismissed
                    } else {
                        false
                    }
                }
            }
            let notices = events.compactMap { event -> PresentationNotice.State? in
                if case .presentationChanged(let notice) = event { notice.state } else { nil }
            }
            #expect(notices == [.presented, .dismissed])
        }
    }

    @Test(.proves("B28")) func appMenuRemovesAHighlight() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let tv = try await agent.process(of: AppAgent.tv)
            let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
            try await agent.calls(of: AppAgent.tv)
                .send(.post, "/v1/app/attributions/\(view)/menu/remove", body: JSONValue.object([:]))
            #expect(try await tv.highlights(limit: 10).total == 0)
        }
    }

    @Test func deniedRequestGetsTheFrameworksError() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let (tv, clowns) = (try await agent.calls(of: AppAgent.tv), try await agent.calls(of: AppAgent.clowns))
            func ask(_ calls: JSONCalls, _ url: String) async throws -> (status: Int, code: String) {
                try await Self.refusal {
                    let _: AttributionView = try await calls.post("/v1/app/attributions", AttributionRequest(url: url))
                }
            }
            let (own, capability) = (try await ask(tv, AppAgent.url), try await ask(clowns, AppAgent.url))
            let (unassociated, invalid) = (try await ask(tv, "https://x.example/"), try await ask(tv, "mailto:a@b.c"))
            #expect(own == (200, ""))
            #expect(capability == (403, "accessDenied"))
            #expect(unassociated == (403, "accessDenied"))
            #expect(invalid == (400, "invalidURL"))
            // The reason is for the developer, on the control API.
            let path = agent.path + "/apps/\(AppAgent.clowns)/explain?url=https%3A%2F%2Ftv.example%2Fshows%2Flasso"
            let explanation: LinkExplanation = try await agent.control.get(path)
            #expect("\(explanation)".contains("capability"))
        }
    }

    @Test(.proves("B63")) func handleBelongsToOneAppAndEndsWithItsHighlight() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let view = try await agent.process(of: AppAgent.tv).attribution(AttributionRequest(url: AppAgent.url)).view
            let (tv, clowns) = (try await agent.calls(of: AppAgent.tv), try await agent.calls(of: AppAgent.clowns))
            func read(_ calls: JSONCalls) async throws -> (status: Int, code: String) {
                try await Self.refusal { let _: AttributionView = try await calls.get("/v1/app/attributions/\(view)") }
            }
            let (own, others) = (try await read(tv), try await read(clowns))
            #expect(own == (200, ""))
            #expect(others == (404, "unknownView"))
            try await agent.apply([.sharing(.linkRemoved(url: AppAgent.url))])
            let ended = try await read(tv)
            #expect(ended == (404, "unknownView"))
        }
    }

    @Test func handlesEndWithTheAgentThatCreatedThem() async throws {
        let folder = try ScratchFolder()
        try await RunningGateway.run { gateway in
            try await AppAgent.run(in: folder, of: gateway) { agent in
                try await agent.apply(AppAgent.scenario)
                let tv = try await agent.process(of: AppAgent.tv)
                let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
                let report: AttributionReport = try await agent.control.get("/v1/attributions/\(view)")
                #expect(report.text.contains("Enrique"))
            }
            try await AppAgent.run(in: folder, of: gateway) { agent in
                let journal = try String(contentsOfFile: folder.path(of: "device/journal.jsonl"), encoding: .utf8)
                let view = try #require(journal.firstMatch(of: /"view":"(\w{26})"/)).1
                let ended = try await Self.refusal {
                    let _: AttributionReport = try await agent.control.get("/v1/attributions/\(view)")
                }
                #expect(ended == (404, "unknownView"))
                #expect(try await agent.process(of: AppAgent.tv).highlights(limit: 5).total == 1)
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// Scenarios that differ only in people, conversations and messages are identical to the app, byte for byte.
    @Test(.proves("B64", "B65")) func noPersonalDataCrossesTheSocket() async throws {
        var generator = SeededGenerator(seed: 64)
        let hostile = (1...3).map { _ in HostileName.any(&generator) }
        let sets = [["Al"], ["Maximiliane Wilhelmina"], ["Enrique", "さくら", "王伟", "Sarah", "Božena"], hostile]
        var transcripts: [[String]] = []
        for (number, names) in sets.enumerated() {
            let (lines, line) = AsyncStream.makeStream(of: [String].self)
            let numbers = Mutex<UInt64>(0)
            var sources = AgentSources.waiting
            // The same handles and credentials for every set of people.
            sources.randomBits64 = {
                numbers.withLock { number in
                    number += 1
                    return number
                }
            }
            try await RunningGateway.run { [sources] gateway in
                try await AppAgent.run(of: gateway, sources: sources) { agent in
                    line.yield(
                        try await Self.transcript(agent) {
                            try await agent.apply([AppAgent.scenario[0]] + Self.sharing(names, number))
                        }
                    )
                }
            }
            for await transcript in lines {
                transcripts.append(transcript)
                break
            }
        }
        for transcript in transcripts.dropFirst() { #expect(transcript == transcripts[0]) }
        let all = transcripts[0].joined()
        for word in ["lasso", "\"size\"", "presentationChanged", "accessDenied"] {
            #expect(all.contains(word), "\(word)")
        }
    }

    /// Returns the events with which each person shares the link in a conversation of its own.
    private static func sharing(_ names: [String], _ number: Int) -> [DeviceEvent] {
        let shares = names.enumerated().flatMap { place, name -> [DeviceEvent] in
            let id = "\(number)-\(place)"
            let handle = Handle(rawValue: "\(id)@clowntown.example")
            return [
                .sharing(.contactChanged(Contact(id: ContactID(rawValue: id), givenName: name, handles: [handle]))),
                .sharing(
                    .messageReceived(
                        Message(
                            id: MessageID(rawValue: id),
                            conversation: ConversationID(rawValue: id),
                            sender: handle,
                            text: "\(name): \(AppAgent.url)"
                        )
                    )
                ),
            ]
        }
        return shares + [.sharing(.linkPinned(MessageID(rawValue: "\(number)-0"), url: nil))]
    }

    /// Returns everything that a process reads from its socket, starting before the scenario.
    private static func transcript(
        _ agent: AppAgent,
        _ scenario: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let credential = try await agent.client.credential(of: AppAgent.tv, on: AppAgent.device)
        func request(_ path: String) -> HTTPClientRequest {
            var request = HTTPClientRequest(url: credential.apps + path)
            request.headers.add(name: "authorization", value: "Bearer \(credential.credential.rawValue)")
            return request
        }
        func text(_ path: String) async throws -> String {
            let response = try await agent.gateway.http.execute(request(path), timeout: .seconds(60))
            return "\(response.status.code) \(String(buffer: try await response.body.collect(upTo: 1 << 20)))"
        }
        func send(_ method: HTTPMethod, _ path: String, _ body: String = "{}") async throws -> String {
            var request = request(path)
            request.method = method
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
            let response = try await agent.gateway.http.execute(request, timeout: .seconds(60))
            return "\(response.status.code) \(String(buffer: try await response.body.collect(upTo: 1 << 20)))"
        }
        let stream = try await agent.gateway.http.execute(request("/v1/app/events"), timeout: .seconds(60))
        try await scenario()
        var told = ""
        var pieces = stream.body.makeAsyncIterator()
        while !told.contains("\"added\""), let piece = try await pieces.next() { told += String(buffer: piece) }
        let url = #""url":"\#(AppAgent.url)""#
        var transcript = [
            try await text("/v1/app"),
            try await text("/v1/app/highlights"),
            try await text("/v1/app/highlight?url=https%3A%2F%2Ftv.example%2Fshows%2Flasso"),
            try await text("/v1/app/highlight?url=https%3A%2F%2Ftv.example%2Fshows%2Fother"),
            try await text("/v1/app/attributions/none"),
            try await send(.PUT, "/v1/app/previews", "{\(url),\"title\":\"Lasso\"}"),
            try await send(.POST, "/v1/app/attributions", "{\(url),\"preferences\":{\"preferredMaxLayoutWidth\":60}}"),
            try await send(.POST, "/v1/app/attributions", "{\(url)}"),
        ]
        let view = try #require(transcript.last?.firstMatch(of: /"view":"(\w+)"/)?.output.1)
        transcript += [
            try await send(.POST, "/v1/app/attributions/\(view)/attach"),
            try await text("/v1/app/attributions/\(view)"),
            try await send(.POST, "/v1/app/attributions/\(view)/menu/reply"),
            try await send(.POST, "/v1/app/finished", "{\(url)}"),
            try await send(.POST, "/v1/app/attributions/\(view)/detach"),
            try await send(.DELETE, "/v1/app/attributions/\(view)"),
            try await send(.POST, "/v1/app/attributions/\(view)/menu/remove"),
        ]
        while !told.contains("presentationChanged"), let piece = try await pieces.next() {
            told += String(buffer: piece)
        }
        return [told] + transcript
    }
}
