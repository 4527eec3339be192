import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// A journal in which a link fails at exactly one gate, and the change that lets it pass.
struct GateVector: Decodable, Sendable, CustomTestStringConvertible {
    /// The gate that fails.
    var gate: SurfacingGate

    /// The reason for the failure.
    var note: String

    /// The link and the app of the query.
    var url: String
    var app: BundleIdentifier

    /// The gate that decides, or `nil` for curation, which stops no link.
    var decidedBy: SurfacingGate?

    var journal: [JournalEntry]

    /// The index of the journal line that is the cause: without it the link surfaces.
    var without: Int?

    /// Events that may be appended so that the link surfaces.
    var extra: [JournalEntry]?

    /// The link that surfaces in the end, if it is not the link of the query, which may not be a link.
    var mendedURL: String?

    var testDescription: String { gate.rawValue }

    /// The device after the journal.
    var device: SharingDevice {
        Self.replay(journal)
    }

    /// The device after the journal without the cause.
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

    /// All vectors.
    ///
    /// If a line cannot be decoded, the list is empty and the test of their number fails.
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
