import Foundation

/// The ratios of earlier runs, for each kind of machine, in a file that is part of the project.
struct StoredRatios {
    private var ratios: [String: [String: Ratio]]
    private let kind: String
    private let file: URL

    /// Reads the file, to use the ratios of a kind of machine; a missing file has no ratios.
    init(_ path: String, kind: String = Machine.kind) throws {
        (file, self.kind) = (URL(filePath: path), kind)
        guard FileManager.default.fileExists(atPath: path) else {
            ratios = [:]
            return
        }
        ratios = try JSONDecoder().decode([String: [String: Ratio]].self, from: Data(contentsOf: file))
    }

    /// Reads the file.
    ///
    /// - Throws: a failure if it does not exist, so that a wrong path is not taken for a file without ratios.
    init(existing path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw Failure("\(path) does not exist") }
        try self.init(path)
    }

    /// Adds a run to the stored ratios; those that were not measured, and those of other kinds, stay.
    mutating func store(_ lines: [Line]) throws {
        for line in lines {
            let run = line.ratio.rounded
            ratios[kind, default: [:]][line.key] = ratio(of: line)?.adding(run).rounded ?? run
        }
        try JSONFiles.write(ratios, to: file)
    }

    /// Returns the stored ratio of a line.
    func ratio(of line: Line) -> Ratio? {
        ratios[kind]?[line.key]
    }

    /// Returns a description of each line that is worse than the stored one.
    func regressions(in lines: [Line]) -> [String] {
        lines.compactMap { line in
            guard let stored = ratio(of: line), line.ratio.isWorse(than: stored, for: line.unit) else { return nil }
            let limit = stored.limit(for: line.unit)
            return "\(line.key): the ratio is \(Report.ratio(line.ratio.value)), stored is "
                + "\(Report.ratio(stored.value)), the limit is \(Report.ratio(limit))"
        }
    }

    /// Returns how to store the ratios of the lines that have none, or `nil` if all have one.
    func missingRatios(of lines: [Line]) -> String? {
        let missing = lines.filter { ratio(of: $0) == nil }
        guard !missing.isEmpty else { return nil }
        let names = missing.count == lines.count ? "" : " of \(missing.map(\.key).joined(separator: "; "))"
        return """
            \(file.path) has no ratios\(names) for this kind of machine, so nothing is compared with them:
              \(kind)
            To store these, replace --check with --store, or run: make bench STORE=1
            """
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
        for path in [\Self.value, \.smallest, \.largest] {
            let scale = pow(10, 2 - floor(log10(copy[keyPath: path])))
            copy[keyPath: path] = (copy[keyPath: path] * scale).rounded() / scale
        }
        return copy
    }
}
