import Foundation
import LocalService
import WaypostSchema

@testable import Gateway

extension FuzzTarget {
    /// The value of a header.
    static let headers = FuzzTarget(
        name: "headers",
        summary: "traceparent, authorization and accepted codings; what is accepted has one form and its parts"
    ) { bytes in
        let value = String(decoding: bytes, as: UTF8.self)
        if let parent = TraceParent(header: value) {
            promise(TraceParent(header: parent.rawValue) == parent, "a traceparent has one form", found: parent)
            promise(TraceID(parsing: value) == parent.traceID, "a trace is that of its header", found: parent)
            promise(value.contains(parent.traceID.rawValue), "a trace is in its header", found: parent)
        }
        if let token = bearerToken(in: value) {
            let isAtEnd = value.utf8.suffix(token.utf8.count).elementsEqual(token.utf8)
            promise(!token.isEmpty && isAtEnd, "a header ends with its token", found: value)
            promise(bearerToken(in: "Bearer \(token)") == token, "a token is the same in its header", found: value)
        }
        let isWhole = AcceptedCodings([value]).includesGzip
        let parts = value.split(separator: ",").map(String.init)
        promise(AcceptedCodings(parts).includesGzip == isWhole, "a coding may be in a header of its own", found: value)
        let name = value.filter { $0 != " " }.lowercased()
        promise(!isWhole || name.contains("gzip"), "gzip is accepted by its name", found: value)
    }
}
