import Foundation

/// The ratios of an earlier run, in a file that is part of the project.
struct StoredRatios {
    private(set) var ratios: [String: Ratio]
    private let file: URL

    /// Reads the file; a missing one has no ratios.
    init(_ path: String) throws {
        file = URL(filePath: path)
        guard FileManager.default.fileExists(atPath: path) else {
            ratios = [:]
            return
        }
        ratios = try JSONDecoder().decode([String: Ratio].self, from: Data(contentsOf: file))
    }

    /// Stores the ratios of the lines; those that were not measured stay.
    mutating func store(_ lines: [Line]) throws {
        for line in lines { ratios[line.key] = line.ratio.rounded }
        try JSONFiles.write(ratios, to: file)
    }

    /// Returns a description of each line that is worse than the stored one.
    func regressions(in lines: [Line]) -> [String] {
        lines.compactMap { line in
            guard let stored = ratios[line.key],
                line.ratio.isWorse(than: stored, isHigherBetter: line.unit.isHigherBetter)
            else { return nil }
            let spread = "\(Report.ratio(stored.smallest))–\(Report.ratio(stored.largest))"
            return "\(line.key): \(Report.ratio(line.ratio.median)), stored \(Report.ratio(stored.median)) (\(spread))"
        }
    }
}

/// Files of JSON that people read too.
enum JSONFiles {
    static func write(_ value: some Encodable, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (try encoder.encode(value) + Data("\n".utf8)).write(to: file)
    }
}

extension Ratio {
    /// The ratio with three significant digits.
    fileprivate var rounded: Self {
        var copy = self
        for path in [\Self.median, \.smallest, \.largest] {
            let scale = pow(10, 2 - floor(log10(copy[keyPath: path])))
            copy[keyPath: path] = (copy[keyPath: path] * scale).rounded() / scale
        }
        return copy
    }
}
