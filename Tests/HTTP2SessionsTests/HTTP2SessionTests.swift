import Testing

@testable import HTTP2Sessions

@Suite struct HTTP2SessionTests {
    private let fields = Frame.requestFields

    @Test func sessionBeginsWithItsSettings() throws {
        let settings = try #require(try Client().greeting.first)
        #expect(settings.kind == .settings)
        #expect(settings.settings == [3: 1_000, 4: 64 << 10 + 1, 6: 16 << 10, 8: 0])
    }

    @Test func requestIsCompleteRegardlessOfHowItsBytesArrive() throws {
        let bytes = [
            Frame.headers(1, fields), .data(1, "{\"aps\"", endsStream: false), .data(1, ":{}}"),
        ].flatMap(\.bytes)
        let whole = try Client()
        let expected = whole.feed(bytes).requests
        #expect(expected.count == 1)
        #expect(expected.first?.value(of: ":path") == "/3/device/00ff")
        #expect(expected.first.map { String(decoding: $0.body, as: UTF8.self) } == #"{"aps":{}}"#)
        let slow = try Client()
        #expect(bytes.flatMap { slow.feed([$0]) }.requests == expected)
    }

    @Test func requestNeedsNoBodyAndNoAuthority() throws {
        let client = try Client()
        let withoutAuthority = fields.filter { $0.0 != ":authority" } + [("host", "localhost")]
        let requests = client.requests(.headers(1, withoutAuthority, endsStream: true))
        #expect(requests.map(\.body) == [[]])
        #expect(requests.first?.value(of: "host") == "localhost")
    }

    @Test func headerBlockCanSpanSeveralFrames() throws {
        let block = Frame.block(fields)
        let client = try Client()
        let requests = client.requests(
            Frame(.headers, flags: Frame.endStream, stream: 1, Array(block.prefix(10))),
            Frame(.continuation, stream: 1, Array(block.dropFirst(10).prefix(10))),
            Frame(.continuation, flags: Frame.endHeaders, stream: 1, Array(block.dropFirst(20)))
        )
        #expect(requests.first?.value(of: "apns-topic") == "com.example.clowntown")
    }

    @Test func trailersAreAcceptedAndIgnored() throws {
        let client = try Client()
        let requests = client.requests(
            .headers(1, fields),
            .data(1, "{}", endsStream: false),
            .headers(1, [("x-checksum", "1")], endsStream: true)
        )
        #expect(requests.first?.body == Array("{}".utf8))
        #expect(requests.first?.value(of: "x-checksum") == nil)
    }

    // MARK: Answers

    @Test func answerWithoutABodyEndsWithItsHeaders() throws {
        var client = try Client()
        _ = client.send(.headers(1, fields), .data(1, "{}"))
        client.session.respond(to: 1, with: HTTP2Response(status: 200, fields: [HTTP2Field("apns-id", "A")]))
        let answer = try client.frames().filter { $0.stream == 1 }
        #expect(answer.map(\.kind) == [.headers])
        #expect(answer.first?.endsStream == true)
        #expect(try client.fields(of: try #require(answer.first)) == [":status: 200", "apns-id: A"])
    }

    @Test func answerWithABodyEndsWithItsOneDataFrame() throws {
        let client = try Client()
        _ = client.send(.headers(1, fields), .data(1, "{}"))
        let body = Array(#"{"reason":"BadDeviceToken"}"#.utf8)
        client.session.respond(to: 1, with: HTTP2Response(status: 400, body: body))
        let answer = try client.frames().filter { $0.stream == 1 }
        #expect(answer.map(\.kind) == [.headers, .data])
        #expect(answer.map(\.endsStream) == [false, true])
        #expect(answer.last?.payload == body)
    }

    @Test func bodyWaitsForTheWindowOfTheClient() throws {
        let client = try Client()
        // SETTINGS_INITIAL_WINDOW_SIZE of 0.
        _ = client.send(Frame(.settings, [0, 4, 0, 0, 0, 0]), .headers(1, fields, endsStream: true))
        client.session.respond(to: 1, with: HTTP2Response(status: 400, body: Array("0123456789".utf8)))
        #expect(try client.frames().filter { $0.stream == 1 }.map(\.kind) == [.headers])
        _ = client.send(Frame(.windowUpdate, stream: 1, [0, 0, 0, 4]))
        #expect(try client.frames().map(\.payload) == [Array("0123".utf8)])
        _ = client.send(Frame(.windowUpdate, stream: 1, [0, 0, 0, 100]))
        let last = try client.frames()
        #expect(last.map(\.payload) == [Array("456789".utf8)])
        #expect(last.map(\.endsStream) == [true])
    }

    @Test func answersCanBeSentInAnyOrder() throws {
        let client = try Client()
        let streams = (0..<100).map { Int32($0 * 2 + 1) }
        let events = client.send(streams.flatMap { [Frame.headers($0, fields), .data($0, "{}")] })
        #expect(events.requests.map(\.stream) == streams)
        #expect(client.session.unansweredCount == 100)
        for stream in streams.reversed() { client.session.respond(to: stream, with: HTTP2Response(status: 200)) }
        #expect(try Set(client.frames().filter { $0.kind == .headers }.map(\.stream)) == Set(streams))
        #expect(client.session.unansweredCount == 0)
    }

    @Test func answerToAnUnknownOrResetStreamIsDropped() throws {
        let client = try Client()
        client.session.respond(to: 1, with: HTTP2Response(status: 200, body: [1]))
        _ = client.send(.headers(3, fields, endsStream: true))
        #expect(client.send(.reset(3)) == [.canceled(3)])
        client.session.respond(to: 3, with: HTTP2Response(status: 200, body: [1]))
        #expect(try client.frames().allSatisfy { $0.stream == 0 })
    }

    @Test func requestThatIsResetBeforeItIsCompleteIsNotReported() throws {
        let client = try Client()
        #expect(client.send(.headers(1, fields), .data(1, "{", endsStream: false), .reset(1)) == [])
        #expect(!client.session.hasRequests(begunBefore: 1))
    }

    @Test func bodyAfterAnEarlyAnswerIsNotRead() throws {
        var limits = HTTP2Limits()
        limits.bodySize = 10
        let client = try Client(limits)
        let requests = client.requests(.headers(1, fields), .data(1, "0123456789A", endsStream: false))
        #expect(requests.map(\.isBodyTooLong) == [true])
        #expect(requests.map(\.body) == [[]])
        client.session.respond(to: 1, with: HTTP2Response(status: 413, body: [1]))
        let answer = try client.frames().filter { $0.stream == 1 && $0.kind != .windowUpdate }
        #expect(answer.map(\.kind) == [.headers, .data, .reset])
        #expect(answer.last?.errorCode == 0)
        // The connection still works.
        #expect(client.requests(.headers(3, fields), .data(3, "{}")).count == 1)
    }

    // MARK: The connection

    @Test func pingIsAnswered() throws {
        let client = try Client()
        _ = client.send(Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(try client.frames() == [Frame(.ping, flags: 1, [1, 2, 3, 4, 5, 6, 7, 8])])
    }

    @Test func numberOfConcurrentStreamsCanBeChanged() throws {
        let client = try Client()
        for count in [1, 70_000] {
            client.session.announceConcurrentStreams(count)
            #expect(try client.frames().map(\.settings) == [[3: count]])
            _ = client.send(Frame(.settings, flags: 1))
        }
    }

    @Test func sessionCanAnnounceFewerStreamsThanItAccepts() throws {
        var limits = HTTP2Limits()
        limits.announcedStreamCount = 1
        limits.concurrentStreamCount = 3
        let client = try Client(limits)
        #expect(client.greeting.first?.settings[3] == 1)
        // The session accepts streams above the announced number, but not above the limit.
        for stream in [1, 3, 5] as [Int32] {
            #expect(client.requests(.headers(stream, fields, endsStream: true)).count == 1)
        }
        #expect(client.requests(.headers(7, fields, endsStream: true)).isEmpty)
    }

    @Test func goAwayHasAReasonAndOpenRequestsAreAnswered() throws {
        let client = try Client()
        _ = client.send(.headers(1, fields, endsStream: true))
        client.session.goAway(with: Array(#"{"reason":"Shutdown"}"#.utf8))
        let goAway = try #require(try client.frames().first { $0.kind == .goAway })
        #expect(goAway.goAwayData == #"{"reason":"Shutdown"}"#)
        #expect(Frame.number(goAway.payload.prefix(4)) == 1)
        #expect(goAway.errorCode == 0)
        #expect(!client.session.isOver)
        // The session ignores requests after GOAWAY.
        #expect(client.requests(.headers(3, fields, endsStream: true)).isEmpty)
        client.session.respond(to: 1, with: HTTP2Response(status: 200))
        #expect(try client.frames().contains { $0.stream == 1 && $0.endsStream })
        #expect(client.session.isOver)
    }

    @Test func goAwayCanExcludeTheLastRequests() throws {
        let client = try Client()
        _ = client.send(.headers(1, fields, endsStream: true), .headers(3, fields, endsStream: true))
        for _ in 0..<2 { client.session.goAway(with: Array("enough".utf8), after: 1) }
        let goAways = try client.frames().filter { $0.kind == .goAway }
        #expect(goAways.map(\.goAwayData) == ["enough", "enough"])
        #expect(goAways.map { Frame.number($0.payload.prefix(4)) } == [1, 1])
        client.session.respond(to: 3, with: HTTP2Response(status: 200))
        #expect(try client.frames().isEmpty)
        client.session.respond(to: 1, with: HTTP2Response(status: 200))
        #expect(try client.frames().contains { $0.stream == 1 && $0.endsStream })
        #expect(client.session.isOver)
    }

    @Test func goAwayCanExcludeAllRequests() throws {
        let client = try Client()
        _ = client.send(.headers(1, fields, endsStream: true))
        client.session.goAway(with: [], after: -1)
        let goAway = try #require(try client.frames().first { $0.kind == .goAway })
        #expect(Frame.number(goAway.payload.prefix(4)) == 0)
        #expect(client.session.isOver)
    }

    @Test func sessionCanStayOpenAfterGoAway() throws {
        let client = try Client()
        client.session.staysOpen = true
        client.session.goAway(with: [])
        #expect(try client.frames().map(\.kind) == [.goAway])
        #expect(!client.session.isOver)
        #expect(client.requests(.headers(1, fields, endsStream: true)).isEmpty)
        #expect(client.send(Frame(.ping, [UInt8](repeating: 7, count: 8))).isEmpty)
        #expect(try client.frames().isEmpty)
        client.session.staysOpen = false
        #expect(client.session.isOver)
    }

    // MARK: Numbers of streams

    @Test func requestsHaveTheNumberOfOpenStreamsFromTheirBeginning() throws {
        let client = try Client()
        _ = client.send(.headers(1, fields), .headers(3, fields))
        #expect(client.requests(.headers(5, fields, endsStream: true)).map(\.openStreamCount) == [3])
        #expect(client.requests(.data(3, "{}"), .data(1, "{}")).map(\.openStreamCount) == [2, 1])
        for stream in [1, 3] as [Int32] { client.session.respond(to: stream, with: HTTP2Response(status: 200)) }
        _ = try client.frames()
        _ = client.send(.reset(5))
        #expect(client.requests(.headers(7, fields, endsStream: true)).map(\.openStreamCount) == [1])
    }

    @Test func limitCountsOnceTheClientHasAcknowledgedIt() throws {
        let session = try #require(HTTP2Session())
        let acknowledgement = Frame(.settings, flags: 1).bytes
        var limits: [Int?] = []
        func open(_ stream: Int32, after bytes: [UInt8]) {
            var output: [UInt8] = []
            session.writeOutput(to: &output)
            let events = (bytes + Frame.headers(stream, fields, endsStream: true).bytes)
                .withUnsafeBytes { session.receive($0) }
            limits += events.requests.map(\.acknowledgedStreamLimit)
        }
        open(1, after: Frame.preface + Frame.settings.bytes)
        open(3, after: acknowledgement)
        for count in [1, 50] { session.announceConcurrentStreams(count) }
        open(5, after: [])
        open(7, after: acknowledgement)
        open(9, after: acknowledgement)
        #expect(limits == [nil, 1_000, 1_000, 1, 50])
    }

    @Test func oldRequestsAreDetected() throws {
        let client = try Client()
        _ = client.send(.headers(1, fields))
        client.session.tick = 1
        _ = client.send(.headers(3, fields), .data(1, "{}"))
        #expect(!client.session.hasRequests(begunBefore: 1))
        #expect(client.session.hasRequests(begunBefore: 2))
    }

    // MARK: Misbehavior

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX",
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ])
    func invalidPrefaceEndsTheSession(_ bytes: String) throws {
        let session = try #require(HTTP2Session())
        #expect(Array(bytes.utf8).withUnsafeBytes { session.receive($0) } == [])
        #expect(session.isOver)
    }

    @Test func incompletePrefaceDoesNotEndTheSession() throws {
        let session = try #require(HTTP2Session())
        _ = Frame.preface.prefix(12).withUnsafeBytes { session.receive($0) }
        #expect(!session.isOver)
    }

    @Test func unknownFramesAreIgnored() throws {
        let client = try Client()
        let unknown = (20...255).map { Frame(type: $0, flags: 255, stream: Int32($0), [1, 2, 3]) }
        #expect(client.send(unknown + [.headers(1, fields, endsStream: true)]).requests.count == 1)
    }

    @Test func tooLongHeaderListEndsTheSession() throws {
        var limits = HTTP2Limits()
        limits.headerListSize = 1_000
        let client = try Client(limits)
        _ = client.send(.headers(1, fields + [("x", String(repeating: "x", count: 600))]))
        #expect(client.session.hasRequests(begunBefore: 1))
        let events = client.send(.headers(3, fields + [("x", String(repeating: "x", count: 1_000))]))
        #expect(events.isEmpty)
        let goAway = try #require(try client.frames().first { $0.kind == .goAway })
        #expect(goAway.errorCode == 11)
        #expect(goAway.goAwayData.contains("1000 bytes"))
        #expect(client.session.isOver)
    }

    /// The block puts one field of 3,000 bytes into the dynamic table, and then repeats it by its one-byte index.
    @Test func headerBombEndsTheSessionWhileItGrows() throws {
        let client = try Client()
        let value = String(repeating: "x", count: 3_000)
        var block = Frame.block([("x", value)])
        block[0] = 0x40
        let bomb = Frame.block(fields) + block + [UInt8](repeating: 0x80 | 62, count: 10_000)
        let events = client.send(Frame(.headers, flags: Frame.endHeaders, stream: 1, bomb))
        #expect(events.isEmpty)
        #expect(try client.frames().contains { $0.kind == .goAway && $0.errorCode == 11 })
        #expect(client.session.isOver)
    }

    @Test func unfinishedRequestsAreLimitedTogether() throws {
        var limits = HTTP2Limits()
        limits.totalRequestSize = 10_000
        let client = try Client(limits)
        for stream in stride(from: Int32(1), to: 100, by: 2) where !client.session.isOver {
            _ = client.send(
                .headers(stream, fields),
                .data(stream, String(repeating: "x", count: 500), endsStream: false)
            )
            _ = try client.frames()
        }
        #expect(client.session.isOver)
        #expect(client.session.incomingBytes <= 11_000)
    }

    @Test func rapidResetsEndTheSession() throws {
        let client = try Client()
        var stream = Int32(1)
        while !client.session.isOver, stream < 100_000 {
            _ = client.send(.headers(stream, fields, endsStream: true), .reset(stream))
            _ = try client.frames()
            stream += 2
        }
        #expect(client.session.isOver)
    }

    @Test func pingsWithoutReadingAnswersEndTheSession() throws {
        let client = try Client()
        for _ in 0..<20_000 where !client.session.isOver {
            _ = client.send(Frame(.ping, [UInt8](repeating: 0, count: 8)))
        }
        #expect(client.session.isOver)
    }

    @Test func endlessHeaderBlockEndsTheSession() throws {
        let client = try Client()
        _ = client.send(Frame(.headers, stream: 1, Frame.block(fields)))
        for _ in 0..<10_000 where !client.session.isOver { _ = client.send(Frame(.continuation, stream: 1)) }
        #expect(client.session.isOver)
    }
}
