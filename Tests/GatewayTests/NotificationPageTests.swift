import Gateway
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct NotificationPageTests {
    @Test(arguments: Engine.allCases) func pageContainsOnlyMatchingNotifications(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let first = try await gateway.device(topics: ["a", "b"])
            let second = try await gateway.device(topics: ["a", "b"])
            try await gateway.send(
                line(1, first.token, topic: "a") + line(2, second.token, topic: "a") + line(3, first.token, topic: "b")
                    + line(4, second.token, #""expiration":0,"#, topic: "b") + line(5, "00ff", topic: "b")
            )
            for (query, numbers) in [
                ("?token=\(first.token)", [1, 3]), ("?token=\(first.token.rawValue.uppercased())", [1, 3]),
                ("?token=00ff", [5]), ("?token=none", []), ("?topic=b", [3, 4, 5]), ("?topic=a%20b", []),
                ("?state=dropped", [4]), ("?state=dropped,rejected", [4, 5]),
                ("?state=stored&state=rejected", [1, 2, 3, 5]),
                ("?state=sent", []), ("?token=\(second.token)&topic=b", [4]), ("?since=0", [1, 2, 3, 4, 5]),
                ("?since=1790000000001", []), ("?since=1790000000000&topic=a", [1, 2]),
                ("?something=else", [1, 2, 3, 4, 5]),
            ] {
                let found = try await gateway.notifications(query)
                #expect(found.notifications.map(\.number) == numbers, "\(query)")
                #expect(found.next == nil, "\(query)")
            }
        }
    }

    @Test(arguments: Engine.allCases) func sinceIsADurationBeforeNow(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device()
            for number in 1...3 {
                try await gateway.send(line(number, device.token))
                _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 3_600_000))
            }
            for (span, numbers) in [
                ("3599s", []), ("1h", [3]), ("60m", [3]), ("3600000ms", [3]), ("119m", [3]), ("2h", [2, 3]),
                ("1d", [1, 2, 3]), ("999999999999999999d", [1, 2, 3]),
            ] {
                let found = try await gateway.notifications("?since=\(span)").notifications
                #expect(found.map(\.number) == numbers, "\(span)")
            }
        }
    }

    @Test(arguments: Engine.allCases) func pagesCanBeReadToTheEnd(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let other = try await gateway.device()
            let lines = (1...25).map { line($0, $0.isMultiple(of: 5) ? other.token : device.token) }
            try await gateway.send(lines.joined())
            #expect(try await gateway.notifications("?limit=4").notifications.map(\.number) == [22, 23, 24, 25])
            #expect(try await gateway.notifications("?limit=25&after=0").next == nil)
            for limit in [1, 7, 20, 25] {
                let found = try await Self.everything(gateway, "?limit=\(limit)&token=\(device.token)")
                #expect(found == (1...25).filter { !$0.isMultiple(of: 5) }, "\(limit)")
            }
        }
    }

    /// Returns the numbers of the notifications on all pages.
    static func everything(_ gateway: RunningGateway, _ query: String) async throws -> [Int] {
        var found: [Int] = []
        var cursor: Int? = 0
        while let after = cursor {
            let page = try await gateway.notifications(query + "&after=\(after)")
            found += page.notifications.compactMap(\.number)
            cursor = page.next
        }
        return found
    }

    /// In the store, a sent notification is still stored, so the gateway reads on until a page is full.
    @Test(arguments: Engine.allCases) func pagesOfSentNotificationsAreFull(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let waiting = try await gateway.device()
            let connected = try await gateway.device()
            try await gateway.send((1...50).map { line($0, connected.token) }.joined())
            try await gateway.send((51...2_600).map { line($0, waiting.token) }.joined())
            var stream = try await gateway.stream(connected)
            #expect(try await stream.next(50).count == 50)
            #expect(try await Self.everything(gateway, "?state=sent&limit=20") == Array(1...50))
            #expect(try await gateway.notifications("?state=sent&limit=3").notifications.map(\.number) == [48, 49, 50])
            #expect(
                try await gateway.notifications("?state=stored&limit=1&after=0").notifications.map(\.number) == [51]
            )
            #expect(
                try await gateway.notifications("?state=stored,sent&limit=1&after=0").notifications.map(\.number) == [1]
            )
        }
    }

    @Test func largePageIsCompressedIfTheClientAcceptsGzip() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send((1...20).map { line($0, device.token) }.joined())
            let headers = [("accept-encoding", "gzip")]
            let answer = try await gateway.service(.GET, "/v1/notifications", headers: headers)
            #expect(answer.headers.first(name: "content-encoding") == "gzip")
            #expect(answer.body.starts(with: [0x1F, 0x8B]))
        }
    }

    @Test(arguments: [
        ("?state=", "state"), ("?state=stored,", "state"), ("?state=Stored", "state"), ("?since=", "since"),
        ("?since=yesterday", "since"), ("?since=-1", "since"), ("?since=1w", "since"), ("?since=m", "since"),
        ("?since=1234567890123456789", "since"), ("?since=0x10", "since"), ("?after=-1", "after"),
        ("?after=x", "after"),
        ("?after=9223372036854775808", "after"), ("?after=+1", "after"), ("?limit=0", "limit"),
        ("?limit=1001", "limit"),
        ("?limit=ten", "limit"),
    ])
    func invalidParameterIsNamedInTheError(_ query: String, _ parameter: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.GET, "/v1/notifications\(query)")
            #expect(answer.status == 400)
            #expect(try answer.error.code == "badParameter")
            #expect(try answer.error.message.hasPrefix(parameter + ": "))
            let following = [("accept", "text/event-stream")]
            #expect(try await gateway.service(.GET, "/v1/notifications\(query)", headers: following).status == 400)
        }
    }
}
