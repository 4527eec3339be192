import SchemaFiles
import TextBasics

/// The content of a file that a person wrote, which readers get as standard input.
struct WrittenFile {
    private let bytes: [UInt8]
    private let places: FilePlaces

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = Array(bytes)
        places = FilePlaces(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the file may name files of the system, some of which have no end.
    var namesSystemFiles: Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return ["/dev", "/proc", "/sys"].contains { text.contains($0) }
    }

    /// Reads the file, and checks the problems that `read` throws.
    func check(_ read: (String) throws(FileFindings) -> Void) {
        let findings = FileText.withStandardInput(bytes) { () -> [FileFinding] in
            do throws(FileFindings) {
                try read(FileText.standardInputName)
                return []
            } catch {
                promise(!error.findings.isEmpty, "a file that is refused has a problem")
                return error.findings
            }
        }
        for finding in findings {
            promise(!finding.message.isEmpty, "a problem has a message", found: finding)
            promise(
                !finding.description.unicodeScalars.contains(where: \.isInvisible),
                "a problem is one line without invisible characters",
                found: finding
            )
            guard finding.place.file == FileText.standardInputName else { continue }
            promise(places.contains(finding.place), "the place of a problem is in the file", found: finding)
        }
    }
}

/// The places in a file: those of its characters, and the ends of its lines.
///
/// YAML knows more line breaks than a line feed, and an error at the end is on the line after a last one without break.
struct FilePlaces {
    /// The numbers of scalars in the lines that line feeds end.
    private let lineFeedLengths: [Int]

    /// The numbers of scalars in the lines that any break of YAML ends.
    private let breakLengths: [Int]

    init(_ text: String) {
        var (lineFeedLengths, breakLengths) = ([0], [0])
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n":
                lineFeedLengths.append(0)
                if previous != "\r" { breakLengths.append(0) }
            case "\r", "\u{85}", "\u{2028}", "\u{2029}":
                lineFeedLengths[lineFeedLengths.count - 1] += 1
                breakLengths.append(0)
            default:
                lineFeedLengths[lineFeedLengths.count - 1] += 1
                breakLengths[breakLengths.count - 1] += 1
            }
            previous = scalar
        }
        (self.lineFeedLengths, self.breakLengths) = (lineFeedLengths, breakLengths)
    }

    /// Returns whether a place is that of a character, or the end of a line.
    func contains(_ place: SourcePlace) -> Bool {
        [lineFeedLengths, breakLengths].contains { lengths in
            guard place.line >= 1, place.column >= 1 else { return false }
            guard place.line <= lengths.count else { return place.line == lengths.count + 1 && place.column == 1 }
            return place.column <= lengths[place.line - 1] + 1
        }
    }
}
