import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// A journal in which a link fails at one gate alone, and what mends that.
struct GateVector: Decodable, Sendable, CustomTestStringConvertible {
    /// The gate that fails.
    var gate: SurfacingGate

    /// Why it does.
    var note: String

    /// The link and the app that the question is about.
    var url: String
    var app: BundleIdentifier

    /// The gate that decides; absent for curation, which stops no link.
    var decidedBy: SurfacingGate?

    var journal: [JournalEntry]

    /// The place of the line in the journal that is the cause: without it the link surfaces.
    var without: Int?

    /// What can happen still so that the link surfaces.
    var extra: [JournalEntry]?

    /// The link that surfaces in the end, where it is another, as what was asked about can be none.
    var mendedURL: String?

    var testDescription: String { gate.rawValue }

    /// The device to which the journal happened.
    var device: SharingDevice {
        Self.replay(journal)
    }

    /// The device to which it happened without the one cause.
    var mendedDevice: SharingDevice {
        var lines = journal
        if let without { lines.remove(at: without) }
        return Self.replay(lines + (extra ?? []))
    }

    private static func replay(_ lines: [JournalEntry]) -> SharingDevice {
        var device = SharingDevice(DeviceModel())
        for line in lines { device.take(line) }
        return device
    }

    /// All of them; a line that cannot be read makes the test of their number fail.
    static let all: [GateVector] = {
        do {
            let file = Repository.vectors.appending(path: "gates/gates.jsonl")
            return try Repository.lines(of: file).map { line in
                try JSONDecoder().decode(GateVector.self, from: Data(line.utf8))
            }
        } catch {
            return []
        }
    }()
}
