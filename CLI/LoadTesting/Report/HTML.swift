internal import TextBasics

/// Text with markup, in which everything that is interpolated as a string is escaped.
struct HTML: ExpressibleByStringInterpolation {
    /// The markup.
    let source: String

    init(stringLiteral literal: String) {
        source = literal
    }

    init(stringInterpolation interpolation: StringInterpolation) {
        source = interpolation.source
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            source.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) {
            source += literal
        }

        mutating func appendInterpolation(_ text: String) {
            source += text.safe(for: .html)
        }

        mutating func appendInterpolation(_ number: Int) {
            source += String(number)
        }

        mutating func appendInterpolation(_ markup: HTML) {
            source += markup.source
        }

        mutating func appendInterpolation(_ parts: [HTML]) {
            for part in parts {
                source += part.source
            }
        }
    }
}

extension HTML {
    /// Returns a figure that a program can find by `name`, and read from `value`, which has no unit.
    static func figure(_ name: String, _ value: Double, text: String) -> HTML {
        "<data data-figure=\"\(name)\" value=\"\(value.description)\">\(text)</data>"
    }

    /// Returns a number of things as a figure.
    static func figure(_ name: String, _ count: Int) -> HTML {
        "<data data-figure=\"\(name)\" value=\"\(count)\">\(FigureText.number(Double(count)))</data>"
    }
}
