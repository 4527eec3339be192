import DeviceModel
import Foundation
import Highlights
import WaypostSchema

/// Messages into devices that have many already, and what is asked of them.
enum SharingBenchmarks {
    private static let sizes = [10_000, 100_000, 1_000_000]

    static func all() throws -> [Benchmark] {
        [try replay()] + sizes.flatMap(ofDevice)
    }

    /// What a device of `size` messages takes for one more, and for its top 20.
    private static func ofDevice(_ size: Int) -> [Benchmark] {
        // Made by whichever benchmark is the first to run; one that is not asked for makes none.
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

    /// A line of a journal, read and applied.
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

/// A device with as many messages as it is to have, once it is used.
private final class LazyDevice {
    var messages = MessageGenerator()
    private(set) var device = MessageGenerator.device
    private let size: Int
    private var isReady = false

    init(size: Int) {
        self.size = size
    }

    /// Takes a message in; the device is changed in its place, as a second reference to it would make a copy.
    func receive(_ entry: JournalEntry) -> Int {
        device.apply(entry.event, at: entry.at).effects.count
    }

    func prepare() {
        guard !isReady else { return }
        isReady = true
        for _ in 0..<size { _ = receive(messages.next()) }
    }
}
