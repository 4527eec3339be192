import Deflate
import GatewayStore
import NIOCore
import WaypostSchema

@testable import Gateway

extension FuzzTarget {
    /// A byte that chooses the content coding, a byte for the size of the pieces, and a body.
    static let bodies = FuzzTarget(
        name: "bodies",
        summary: "bodies of batches, plain, gzip and deflate; the same in pieces of any size"
    ) { bytes in
        guard bytes.count >= 2 else { return }
        let coding = [ContentCoding.identity, .gzip, .deflate][Int(bytes[0]) % 3]
        let body = Array(bytes.dropFirst(2))
        let whole = inflated(body, coding, pieceSize: max(1, body.count))
        let pieces = inflated(body, coding, pieceSize: Int(bytes[1]) + 1)
        promise(whole == pieces, "a body is the same in pieces", found: (coding, whole as Any, pieces as Any))
        guard let whole else { return }
        check(whole)
    }

    /// Returns the inflated body, or `nil` if it is refused.
    private static func inflated(_ body: [UInt8], _ coding: ContentCoding, pieceSize: Int) -> [UInt8]? {
        var limits = BatchLimits()
        limits.bodySize = 1 << 20
        limits.inflation = InflationLimits(maximumOutput: 1 << 20)
        do throws(GatewayError) {
            var inflation = BodyInflation(coding, limits: limits)
            for start in stride(from: 0, to: body.count, by: pieceSize) {
                try inflation.append(ByteBuffer(bytes: body[start..<min(start + pieceSize, body.count)]))
            }
            return try inflation.finish()
        } catch {
            return nil
        }
    }

    /// Checks that each item of a body is accepted or refused.
    private static func check(_ body: [UInt8]) {
        // A body that inflates to megabytes makes the fuzzer slow.
        guard body.count <= 64 << 10 else { return }
        var limits = BatchLimits()
        limits.items = 100
        limits.itemSize = 1 << 10
        let parsed = try? ParsedBatch(body, limits: limits, makeID: { NotificationID(rawValue: "item-\($0)") })
        guard let batch = parsed else { return }
        let refused = batch.items.filter { $0.refusal != nil }
        let indices = batch.items.map(\.index)
        promise(indices == Array(0..<batch.items.count), "items are numbered from 0", found: indices)
        promise(batch.items.count <= limits.items, "a batch has at most as many items as the limit")
        promise(batch.notifications.count == batch.items.count - refused.count, "an item is stored or refused")
        promise(batch.rejections.count == refused.count, "each refused item is in the log")
        let results = batch.results(refusals: [StoreRefusal?](repeating: nil, count: batch.notifications.count))
        promise(results.count == batch.items.count, "each item has a result", found: results)
        let haveReasons = results.allSatisfy { ($0.reason == nil) == ($0.status == 200) }
        promise(haveReasons, "a refusal has a reason", found: results)
    }
}
