import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

extension ExhaustionRun {
    /// Loads a gateway that has little memory and address space with large batches and long lists at once.
    ///
    /// It may refuse them with 429 or 503. Small batches are accepted meanwhile.
    static func withLittleMemory(
        _ trial: CampaignTrial,
        _ plan: ExhaustionPlan,
        http: HTTPClient
    ) async throws -> TrialOutcome {
        let script = #"ulimit -v \#(ExhaustionLimits.addressSpace); exec "$@""#
        let wrap = { (command: [String]) in GatewayProcess.shell(script, command) }
        return try await perform(trial, plan, http: http, wrap: wrap) { run in
            let stored = try await ServedDevice(run.calls)
            let load = try await LargeRequests(to: stored.credential.token, service: run.calls.ready.service)
            async let answers = load.run()
            await run.probe("during large batches", for: .seconds(10))
            let statuses = await answers
            for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
                run.outcome.operations += count
                run.outcome.counts["large requests answered with \(status)", default: 0] += count
                guard ![200, 429, 503].contains(status) else { continue }
                run.addViolation("\(count) large requests got \(status == 0 ? "no answer" : "\(status)")")
            }
            await run.check("a large batch is accepted after the others", within: ExhaustionLimits.delivery) {
                await load.sendBatch() == 200
            }
        }
    }
}

/// Large batches and long lists, many at once.
private struct LargeRequests: Sendable {
    /// A batch, compressed with gzip; inflated, it is about as large as a gateway with 256 MiB accepts.
    private let batch: ByteBuffer
    private let service: String

    /// The number of clients that send batches, and of those that read lists.
    private static let senderCount = 16
    private static let readerCount = 4

    /// The number of requests of each.
    private static let requestCount = 3
    private static let itemCount = 3_000

    init(to token: DeviceToken, service: String) async throws {
        self.service = service
        let line = ServedDevice.line(to: token, "large", size: 3_500)
        let lines = Data(String(repeating: line, count: Self.itemCount).utf8)
        batch = ByteBuffer(bytes: try await ExternalCommand.run(["gzip", "--fast", "--stdout"], input: lines))
    }

    /// Sends all requests, and returns the numbers of answers by their status; 0 is no answer.
    func run() async -> [UInt: Int] {
        await withTaskGroup(of: [UInt].self) { group in
            for number in 0..<Self.senderCount + Self.readerCount {
                group.addTask {
                    var statuses: [UInt] = []
                    for _ in 0..<Self.requestCount {
                        let status = number < Self.senderCount ? await self.sendBatch() : await self.readList()
                        statuses.append(status)
                    }
                    return statuses
                }
            }
            var counts: [UInt: Int] = [:]
            for await statuses in group {
                for status in statuses { counts[status, default: 0] += 1 }
            }
            return counts
        }
    }

    /// Sends the batch from a client of its own, and returns the status; 0 is no answer.
    func sendBatch() async -> UInt {
        var request = HTTPClientRequest(url: service + "/v1/batches")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-ndjson")
        request.headers.add(name: "content-encoding", value: "gzip")
        request.body = .bytes(batch)
        return await status(of: request)
    }

    /// Reads a long list, and returns the status; 0 is no answer.
    private func readList() async -> UInt {
        await status(of: HTTPClientRequest(url: service + "/v1/notifications?limit=1000"))
    }

    private func status(of request: HTTPClientRequest) async -> UInt {
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        var status: UInt = 0
        do {
            let response = try await http.execute(request, timeout: .minutes(2))
            _ = try await response.body.collect(upTo: 64 << 20)
            status = response.status.code
        } catch {
            status = 0
        }
        try? await http.shutdown()
        return status
    }
}
