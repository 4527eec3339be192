import AssociationFetching
import UniversalLinks
import WaypostSchema

/// An answer that cannot be used, and the expected failure.
struct BadAnswer: Sendable, CustomStringConvertible {
    let description: String
    let steps: [AssociationServer.Step]
    let code: AssociationFailure.Code
    let message: String
    let timeout: Duration

    init(
        _ description: String,
        _ steps: [AssociationServer.Step],
        _ code: AssociationFailure.Code,
        _ message: String,
        timeout: Duration = AssociationFetcher.unhurried
    ) {
        self.description = description
        self.steps = steps
        self.code = code
        self.message = message
        self.timeout = timeout
    }

    var failure: AssociationFailure {
        AssociationFailure(code: code, message: message)
    }

    static let limit = AssociationFile.maximumSize

    static let all = redirects + statuses + reasons + slow + large + coded + broken

    static let redirects = [
        BadAnswer(
            "a redirect",
            [.head(301, [("location", "https://www.clowntown.example/file"), ("content-length", "0")]), .end],
            .redirected,
            "the server redirects (301) to https://www.clowntown.example/file; "
                + "devices follow no redirects, so serve the file here"
        ),
        BadAnswer(
            "a redirect to the same place",
            [.head(308, [("location", "/.well-known/apple-app-site-association")]), .end],
            .redirected,
            "the server redirects (308) to /.well-known/apple-app-site-association; "
                + "devices follow no redirects, so serve the file here"
        ),
        BadAnswer(
            "a redirect without a location",
            [.head(302, [("content-length", "0")]), .end],
            .redirected,
            "the server redirects (302) without a location; devices follow no redirects, so serve the file here"
        ),
        BadAnswer(
            "a redirect to a long location with hidden characters",
            [.head(307, [("location", "a\u{202E}b\u{85}" + String(repeating: "c", count: 9_000))]), .end],
            .redirected,
            "the server redirects (307) to a\\u{202E}b\\u{0085}" + String(repeating: "c", count: 116)
                + "…; devices follow no redirects, so serve the file here"
        ),
    ]

    static let statuses = [204, 206, 404, 503].map { status in
        BadAnswer(
            "the status \(status)",
            [.head(status, []), .end],
            .badStatus,
            "the server answers with status \(status); a device accepts only 200"
        )
    }

    static let reasons = [
        BadAnswer(
            "a status with the reasons of Apple's CDN",
            [
                .head(404, [("Apple-Failure-Reason", "SWCERR00301 Timeout"), ("Apple-Failure-Details", "a\u{202E}b")]),
                .end,
            ],
            .badStatus,
            "the server answers with status 404; a device accepts only 200 "
                + "(Apple-Failure-Reason: SWCERR00301 Timeout, Apple-Failure-Details: a\\u{202E}b)"
        )
    ]

    static let slow = [
        BadAnswer("no answer", [], .timedOut, inTime, timeout: .milliseconds(200)),
        BadAnswer("no body", [.head(200, [])], .timedOut, inTime, timeout: .milliseconds(200)),
        BadAnswer(
            "no end of the body",
            [.head(200, [("content-length", "1000")]), .bytes(ClownTownFile.bytes)],
            .timedOut,
            inTime,
            timeout: .milliseconds(200)
        ),
    ]

    static let inTime = "the whole file did not arrive in time; devices do not wait long, so serve it as a static file"

    /// None of these answers ends, so a client that read on would never finish.
    static let large = [
        BadAnswer(
            "a large file with a content length",
            [.head(200, [("content-length", "\(limit + 1)")])],
            .tooLarge,
            "the file has 131073 bytes; a device ignores files of more than 131072"
        ),
        BadAnswer(
            "a large file without a content length",
            [.head(200, []), .bytes(ClownTownFile.padded(to: limit)), .bytes([0x20])],
            .tooLarge,
            "the file has more than 131072 bytes, the most that a device reads"
        ),
    ]

    static let coded =
        ["br", "x-gzip", "gzip, br", "identity, gzip"].map { coding in
            BadAnswer(
                "the coding \(coding)",
                [.head(200, [("content-encoding", coding), ("content-length", "20")])],
                .notJSON,
                "the file has the content coding '\(coding)'; serve it uncompressed or with gzip"
            )
        }
        + ["gzip", "deflate"].map { coding in
            BadAnswer(
                "a plain file declared as \(coding)",
                [.head(200, [("content-encoding", coding)]), .bytes(ClownTownFile.bytes), .end],
                .notJSON,
                unpackable
            )
        }

    static let unpackable = "the file's compression is invalid; serve the file uncompressed, or with valid gzip"

    static let broken = [
        BadAnswer("a connection that is closed immediately", [.close], .unreachable, closed),
        BadAnswer(
            "a connection that is closed in the middle",
            [.head(200, [("content-length", "1000")]), .bytes(ClownTownFile.bytes), .close],
            .unreachable,
            closed
        ),
        BadAnswer(
            "a connection that is closed between two pieces",
            [.head(200, []), .bytes(ClownTownFile.bytes), .close],
            .unreachable,
            closed
        ),
    ]

    static let closed = "the server closed the connection before the file was complete"
}
