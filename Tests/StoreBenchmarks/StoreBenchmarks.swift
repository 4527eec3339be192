import Foundation
import GatewayStore
import WaypostSchema

/// Measures the SQLite store, and prints a line for each figure.
///
/// The figures are the time of a disk sync, the durable items per second compared with GRDB alone in the same run, the
/// cost of the delivery log, and the times to open a store with 100,000 inboxes and to read one inbox.
@main
enum StoreBenchmarks {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print("fdatasync of 4 KiB: \(Figures.micros(try SyncTime.median(in: folder))) (median)\n")
        try await Appending.measure(in: folder)
        try await Logging.measure(in: folder)
        try await Opening.measure(in: folder)
    }
}

/// The formats of the printed figures.
enum Figures {
    static func micros(_ duration: Duration) -> String {
        "\((duration / .nanoseconds(100)).rounded() / 10) µs"
    }

    static func millis(_ duration: Duration) -> String {
        "\((duration / .microseconds(10)).rounded() / 100) ms"
    }

    static func hundredths(_ value: Double) -> String {
        "\((value * 100).rounded() / 100)"
    }

    static func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension [Duration] {
    /// The median of the durations.
    var median: Duration {
        sorted()[count / 2]
    }
}

/// The time that the disk needs to sync written data.
enum SyncTime {
    static func median(in folder: URL, samples: Int = 200) throws -> Duration {
        let path = folder.appending(path: "sync").path
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0x5A, count: 4_096)
        let clock = ContinuousClock()
        return (0..<samples).map { _ in
            clock.measure {
                _ = write(descriptor, page, page.count)
                _ = fdatasync(descriptor)
            }
        }.median
    }
}
