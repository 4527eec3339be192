internal import ArgumentParser
internal import WaypostSchema

/// Widths with commas between them, as a person writes them.
struct WidthsArgument {
    let widths: [Double]

    /// Reads widths in points.
    ///
    /// - Throws: `ValidationError` that names what is no width, and says what is accepted.
    init(_ argument: String) throws {
        let greatest = AttributionPreferences.greatestLength
        widths = try argument.split(separator: ",", omittingEmptySubsequences: false).map { text in
            guard let width = Double(text), (0...greatest).contains(width) else {
                throw ValidationError("'\(text)' is no width: points from 0 to \(Int(greatest)) are accepted")
            }
            return width
        }
    }
}
