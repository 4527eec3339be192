import DeviceModel
import Foundation
import Highlights
import WaypostSchema

/// Messages to devices that already have many, and queries of these devices.
enum SharingBenchmarks {
    private static let sizes = [10_000, 100_000, 1_000_000]

    static func all() throws -> [Benchmark] {
        [try replay()] + sizes.flatMap(ofDevice)
    }

    /// Returns the benchmarks of a device with `size` messages: one more message, and the top 20.
    private static func ofDevice(_ size: Int) -> [Benchmark] {
        // The first benchmark that runs creates the device; if none is selected, it is never created.
        let fixture = LazyDevice(size: size)
        let baseline = size == sizes[0] ? nil : sizes[0]
        return [
            Benchmark(name: "message: \(size) before it", baseline: baseline.map { "message: \($0) before it" }) {
                fixture.prepare()
                return fixture.receive(fixture.messages.next())
            },
            Benchmark(
                name: "message with a new link: \(size) before it",
                baseline: baseline.map { "message with a new link: \($0) before it" }
            ) {
                fixture.prepare()
                return fixture.receive(fixture.messages.nextWithNewLink())
            },
            Benchmark(name: "top 20: \(size) messages", baseline: baseline.map { "top 20: \($0) messages" }) {
                fixture.prepare()
                return fixture.device.sharing.page(of: MessageGenerator.tv, limit: 20).highlights.count
            },
        ]
    }

    /// Returns the benchmark of parsing and applying a line of a journal.
    private static func replay() throws -> Benchmark {
        let encoder = JSONEncoder()
        var messages = MessageGenerator()
        let lines = try (0..<2_000).map { _ in try encoder.encode(messages.next()) }
        let device = MessageGenerator.device
        return Benchmark(name: "journal: a line", results: lines.count) {
            var device = device
            let decoder = JSONDecoder()
            for line in lines {
                guard let entry = try? decoder.decode(JournalEntry.self, from: line) else { continue }
                _ = device.apply(entry.event, at: entry.at)
            }
            return device.sharing.page(of: MessageGenerator.tv, limit: 1).total
        }
    }
}

/// A device that receives its `size` messages when it is first used.
private final class LazyDevice {
    var messages = MessageGenerator()
    private(set) var device = MessageGenerator.device
    private let size: Int
    private var isReady = false

    init(size: Int) {
        self.size = size
    }

    /// Applies a message.
    ///
    /// The device is changed in place, because a second reference to it would cause a copy.
    func receive(_ entry: JournalEntry) -> Int {
        device.apply(entry.event, at: entry.at).effects.count
    }

    func prepare() {
        guard !isReady else { return }
        isReady = true
        for _ in 0..<size { _ = receive(messages.next()) }
    }
}
