internal import JSONScanning
internal import UniversalLinks
internal import WaypostSchema

/// The answers of `waypost links match` as lines of JSON, for millions of URLs.
///
/// But for the URL, the same rule gives the same answer every time: it is encoded once.
struct LinkAnswerLines {
    private struct Key: Hashable {
        var app: ApplicationIdentifier
        var match: LinkMatch
    }

    private let question: LinkQuestion
    private var encoded: [Key: String] = [:]

    init(_ question: LinkQuestion) {
        self.question = question
    }

    /// Appends the lines that answer for a URL.
    mutating func append(answersTo text: String, to lines: inout String) throws {
        let matcher = question.matcher
        // What is said of a URL that cannot be asked about is said of it alone.
        guard let url = try? LinkURL(text), url.host == question.domain ?? url.host,
            !matcher.apps.isEmpty || question.app != nil
        else {
            for decision in question.decisions(on: text, tracing: false) { lines += try JSONText.line(decision) + "\n" }
            return
        }
        if let app = question.app {
            try append(matcher.match(url, for: app), text, for: app, to: &lines)
        } else {
            for (app, match) in zip(matcher.apps, matcher.matches(url)) {
                try append(match, text, for: app, to: &lines)
            }
        }
    }

    private mutating func append(
        _ match: LinkMatch,
        _ text: String,
        for app: ApplicationIdentifier,
        to lines: inout String
    ) throws {
        let key = Key(app: app, match: match)
        if encoded[key] == nil {
            // Keys are sorted, and "url" is the last.
            let line = try JSONText.line(question.matcher.decision(match, on: "", for: app))
            encoded[key] = String(line.dropLast(#""""#.count + 1))
        }
        lines += encoded[key] ?? ""
        lines += text.quotedJSON
        lines += "}\n"
    }
}
