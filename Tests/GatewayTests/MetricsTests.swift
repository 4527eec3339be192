import Deflate
import Foundation
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    @Test(arguments: Engine.allCases) func itemsOfABatchAreCounted(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device(topics: ["a", "b"])
            let items = [
                line(device.token, topic: "a"), line(device.token, topic: "a"), line(device.token, topic: "b"),
                line(device.token, #""pushType":"background","priority":5,"#, topic: "a"),
                line(device.token, #""expiration":0,"#, topic: "b"), line(device.token, topic: "c"), "{}\n",
            ]
            let body = Array(items.joined().utf8)
            let sent = Deflater.deflate(body, as: .gzip)
            _ = try await gateway.batch(sent, coding: "gzip").decoded(as: BatchReceipt.self)
            let scrape = try await gateway.scrape()
            let accepted = "waypost_notifications_accepted_total"
            #expect(scrape.value(accepted, ["push_type": "alert", "topic": "a"]) == 2)
            #expect(scrape.value(accepted, ["push_type": "alert", "topic": "b"]) == 2)
            #expect(scrape.value(accepted, ["push_type": "background", "topic": "a"]) == 1)
            let rejected = "waypost_notifications_rejected_total"
            #expect(scrape.value(rejected, ["reason": "DeviceTokenNotForTopic"]) == 1)
            #expect(scrape.value(rejected, ["reason": "MissingDeviceToken"]) == 1)
            let states = "waypost_notification_states_total"
            #expect(scrape.value(states, ["state": "stored"]) == 4)
            #expect(scrape.value(states, ["state": "dropped"]) == 1)
            #expect(scrape.value(states, ["state": "acknowledged"]) == 0)
            #expect(scrape.value("waypost_batch_received_bytes_total") == Double(sent.count))
            #expect(scrape.value("waypost_batch_inflated_bytes_total") == Double(body.count))
            #expect(scrape.value("waypost_intake_batches") == 0)
        }
    }

    @Test func streamsAndTheirNotificationsAreCounted() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await gateway.send([line(device.token), line(device.token)].joined())
            var stream = try await gateway.stream(device)
            let sequences = try await stream.next(2).map(\.sequence)
            let scrape = try await gateway.scrape()
            #expect(scrape.value("waypost_sessions_open") == 1)
            #expect(scrape.value("waypost_notifications_sent_total") == 2)
            #expect(scrape.value("waypost_notifications_redelivered_total") == 0)
            #expect(scrape.value("waypost_notifications_unacknowledged") == 2)
            _ = try await gateway.acknowledge(.sequences([sequences[0]]), device)
            let after = try await gateway.scrape()
            #expect(after.value("waypost_notifications_unacknowledged") == 1)
            #expect(after.value("waypost_notification_states_total", ["state": "acknowledged"]) == 1)
        }
    }

    @Test(arguments: Engine.allCases) func inboxMetricsShowCountAndOldestAge(_ engine: Engine) async throws {
        try await engine.run(.forTests.withManualClock) { gateway in
            let device = try await gateway.device(in: "run-1")
            try await gateway.send(line(device.token), in: "run-1")
            _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 90_500), in: "run-1")
            try await gateway.send(line(device.token), in: "run-1")
            let scrape = try await gateway.scrape()
            #expect(scrape.value("waypost_inbox_notifications", ["namespace": "run-1"]) == 2)
            #expect(scrape.value("waypost_inbox_oldest_age_seconds", ["namespace": "run-1"]) == 90.5)
            _ = try await gateway.service(.DELETE, "/v1/namespaces/run-1")
            let after = try await gateway.scrape()
            #expect(after.families["waypost_inbox_notifications"]?.samples.isEmpty == true)
        }
    }

    @Test func storeTransactionsAreMeasured() async throws {
        try await Engine.sqlite.run { gateway in
            let device = try await gateway.device()
            let before = try await gateway.scrape()
            try await gateway.send((0..<30).map { _ in line(device.token) }.joined())
            let after = try await gateway.scrape()
            func growth(_ name: String, _ labels: [String: String] = [:]) -> Double? {
                guard let after = after.value(name, labels), let before = before.value(name, labels) else { return nil }
                return after - before
            }
            #expect(growth("waypost_commit_items_count") == 1)
            #expect(growth("waypost_commit_items_sum") == 30)
            #expect(growth("waypost_commit_items_bucket", ["le": "10"]) == 0)
            #expect(growth("waypost_commit_duration_seconds_count") == 1)
            #expect(after.value("waypost_commit_queue_items") == 0)
        }
    }

    @Test func requestsAreCountedByMethodRouteAndStatus() async throws {
        try await RunningGateway.run { gateway in
            _ = try await gateway.service(.GET, "/v1/batches/nothing")
            _ = try await gateway.service(.GET, "/v1/batches/nothing-else?wait=settled")
            _ = try await gateway.service(.GET, "/etc/passwd")
            _ = try await gateway.service(.PURGE, "/health")
            let scrape = try await gateway.scrape()
            let requests = "waypost_http_requests_total"
            let batches = ["method": "GET", "route": "/v1/batches/{id}"]
            #expect(scrape.value(requests, batches.merging(["status": "404"]) { $1 }) == 2)
            #expect(scrape.value("waypost_http_request_duration_seconds_count", batches) == 2)
            #expect(scrape.value(requests, ["method": "GET", "route": "other", "status": "404"]) == 1)
            #expect(scrape.value(requests, ["method": "other", "route": "other", "status": "405"]) == 1)
        }
    }

    @Test func topicsBeyondTheLimitShareOneSeries() async throws {
        try await RunningGateway.run { gateway in
            let topics = (0..<250).map { Topic(rawValue: "topic-\($0)") }
            let device = try await gateway.device(topics: topics)
            for _ in 0..<2 { try await gateway.send(topics.map { line(device.token, topic: $0) }.joined()) }
            let scrape = try await gateway.scrape()
            let accepted = "waypost_notifications_accepted_total"
            #expect(scrape.families[accepted]?.samples.count == 201)
            #expect(scrape.value(accepted, ["push_type": "alert", "topic": "other"]) == 100)
        }
    }

    @Test func namespacesBeyondTheLimitShareOneSeries() async throws {
        try await RunningGateway.run { gateway in
            // One after the other, 410 requests take most of a minute on a busy machine.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<205 {
                    group.addTask {
                        let namespace = Namespace(rawValue: "run-\(number)")
                        let device = try await gateway.device(in: namespace)
                        try await gateway.send(line(device.token), in: namespace)
                    }
                }
                try await group.waitForAll()
            }
            let scrape = try await gateway.scrape()
            #expect(scrape.families["waypost_inbox_notifications"]?.samples.count == 201)
            #expect(scrape.value("waypost_inbox_notifications", ["namespace": "other"]) == 5)
        }
    }

    @Test func gatewaysInOneProcessCountSeparately() async throws {
        try await RunningGateway.run { one in
            _ = try await one.service(.GET, "/v1/clock")
            try await RunningGateway.run { other in
                let scrape = try await other.scrape()
                #expect(scrape.families["waypost_http_requests_total"]?.samples.isEmpty == true)
            }
        }
    }

    @Test func documentListsEverySeriesWithItsTypeAndMeaning() async throws {
        let document = try String(contentsOf: Repository.root.appending(path: "docs/metrics.md"), encoding: .utf8)
        let scrape = try await RunningGateway.run { try await $0.scrape() }
        let listed = document.matches(of: /(?m)^\| `((?:waypost|process)_[a-z_]+)` \| (counter|gauge|histogram) \|/)
        #expect(listed.map { String($0.1) }.sorted() == scrape.names)
        for row in listed { #expect(scrape.families[String(row.1)]?.type == String(row.2), "\(row.1)") }
        for (name, family) in scrape.families {
            #expect(document.contains(family.help.prefix { $0 != "," && $0 != "." }), "\(name): \(family.help)")
        }
    }

    @Test func metricNamesFollowTheConventions() async throws {
        let scrape = try await RunningGateway.run { try await $0.scrape() }
        for (name, family) in scrape.families {
            #expect(name.hasPrefix("waypost_") || name.hasPrefix("process_"))
            #expect(name.hasSuffix("_total") == (family.type == "counter"), "\(name)")
        }
    }
}

extension RunningGateway {
    /// Reads `/metrics`.
    func scrape() async throws -> PrometheusText {
        let exchange = try await service(.GET, "/metrics")
        #expect(exchange.status == 200)
        #expect(exchange.headers["content-type"] == ["text/plain; version=0.0.4; charset=utf-8"])
        return try PrometheusText(String(decoding: exchange.body, as: UTF8.self))
    }
}
