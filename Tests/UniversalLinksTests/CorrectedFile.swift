import Testing
import UniversalLinks
import WaypostSchema

/// A file after a finding's replacement was written into it.
struct CorrectedFile {
    let text: String

    /// Writes the replacement of a finding at its line and column, in place of the JSON that starts there.
    ///
    /// The end of that JSON is found without the product's parser.
    init?(_ text: String, _ finding: AssociationFinding) {
        guard let instead = finding.instead else { return nil }
        let bytes = Array(text.utf8)
        var lineStart = 0
        for _ in 1..<finding.line {
            guard let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            lineStart = end + 1
        }
        let start = lineStart + finding.column - 1
        guard start < bytes.count else { return nil }
        var corrected = Array(bytes[..<start])
        corrected += Array(instead.utf8)
        corrected += bytes[Self.end(ofValueAt: start, in: bytes)...]
        self.text = String(decoding: corrected, as: UTF8.self)
    }

    /// Writes replacements into a file until no finding has one.
    static func correctingAll(in text: String) -> String {
        var text = text
        // A replacement that does not remove its finding would be written again and again.
        for _ in 0..<20 {
            guard let finding = findings(in: text).first(where: { $0.instead != nil }),
                let corrected = CorrectedFile(text, finding)
            else { break }
            text = corrected.text
        }
        return text
    }

    static func findings(in text: String) -> [AssociationFinding] {
        AssociationCheck.findings(in: Array(text.utf8))
    }

    /// Expects that the replacement of a finding removes the finding, and causes no error.
    ///
    /// - Parameters:
    ///   - finding: a finding with a replacement.
    ///   - text: the file.
    ///   - hiddenErrors: the codes of errors that the replaced text may have hidden.
    /// - Throws: an error if the replacement cannot be put in.
    static func expectCorrection(
        of finding: AssociationFinding,
        in text: String,
        revealing hiddenErrors: Set<AssociationFinding.Code> = []
    ) throws {
        let corrected = try #require(CorrectedFile(text, finding), "\(finding) of \(text)")
        let (before, after) = (findings(in: text), findings(in: corrected.text))
        let isSame = { (other: AssociationFinding) in
            other.code == finding.code && other.place == finding.place && other.message == finding.message
        }
        #expect(!after.contains(where: isSame), "\(finding) of \(text) becomes \(corrected.text)")
        let errorsBefore = Set(before.filter { $0.severity == .error }.map { "\($0.code) \($0.place)" })
        let newErrors = after.filter {
            $0.severity == .error && !errorsBefore.contains("\($0.code) \($0.place)") && !hiddenErrors.contains($0.code)
        }
        #expect(newErrors.isEmpty, "\(finding) of \(text) becomes \(corrected.text)")
    }

    /// Returns the end of the JSON value or key that starts at an index.
    private static func end(ofValueAt start: Int, in bytes: [UInt8]) -> Int {
        var depth = 0
        var isInString = false
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 }
                guard byte == UInt8(ascii: "\"") else { continue }
                isInString = false
                if depth == 0 { return index }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if "{[".utf8.contains(byte) {
                depth += 1
            } else if "}]".utf8.contains(byte), depth > 0 {
                depth -= 1
                if depth == 0 { return index }
            } else if depth == 0, "}],: \n\r\t".utf8.contains(byte) {
                return index - 1
            }
        }
        return index
    }
}
