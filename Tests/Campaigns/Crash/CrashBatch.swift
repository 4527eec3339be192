import Deflate
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A random batch of the crash campaign.
struct CrashBatch: Sendable {
    /// The items in the order of the body.
    let items: [CrashItem]

    /// The inflated body.
    let lines: String

    /// The idempotency key.
    let key: String?

    /// The content coding of the body; `nil` for none.
    let coding: DeflateFormat?

    let isAtomic: Bool
    let wantsAllResults: Bool

    /// Whether the gateway may answer before it stores the batch (`Prefer: respond-async`).
    let isAsynchronous: Bool

    let namespace: Namespace

    /// The number of requests that were sent.
    var requests = 0

    /// Whether it was refused as a whole.
    var isRefused = false

    /// The batch in the first receipt.
    var id: BatchID?

    /// The batch in an answer 202, until it is stored, refused or lost.
    var pendingID: BatchID?

    /// Creates a random batch.
    ///
    /// - Parameters:
    ///   - name: The prefix of its key and of the names of its items.
    ///   - order: The sender, and the position of the first item among those of the sender.
    ///   - devices: The possible recipients, all in one namespace.
    ///   - world: The tokens and the clock.
    ///   - generator: The source of randomness.
    init(
        _ name: String,
        order: (sender: String, first: Int),
        to devices: [CrashDevice],
        in world: CrashWorld,
        using generator: inout SeededGenerator
    ) {
        let namespace = devices.first?.namespace ?? .standard
        self.namespace = namespace
        let now = world.update { $0.now(in: namespace).seconds }
        isAtomic = Int.random(in: 0..<3, using: &generator) == 0
        key = Bool.random(using: &generator) ? "key-\(name)" : nil
        let codings: [DeflateFormat?] = [nil, .gzip, .zlib, .raw]
        coding = codings[Int.random(in: codings.indices, using: &generator)]
        isAsynchronous = Int.random(in: 0..<4, using: &generator) == 0
        // The status of a batch has no identifiers of accepted items.
        let hasIDs = Bool.random(using: &generator) || isAsynchronous
        wantsAllResults = !hasIDs || Bool.random(using: &generator)
        let hasBadItems = Int.random(in: 0..<8, using: &generator) == 0
        let largest = [1, 4, 10, 20, 20, 40, 120].randomElement(using: &generator) ?? 1
        var (items, lines): ([CrashItem], String) = ([], "")
        for index in 0..<Int.random(in: 1...largest, using: &generator) {
            guard let device = devices.randomElement(using: &generator) else { continue }
            let isBad = hasBadItems && Int.random(in: 0..<3, using: &generator) == 0
            let item = CrashItem(
                "\(name)-\(index)",
                id: hasIDs ? NotificationID(rawValue: UUIDText.random(using: &generator)) : nil,
                sender: order.sender,
                number: order.first + index,
                devices: [device.name],
                namespace: device.namespace,
                expiration: CrashItem.expiration(in: device.namespace, now: now, using: &generator),
                collapseID: CrashItem.collapseID(using: &generator),
                isAddedByEachRequest: key == nil,
                expectation: isBad ? .rejection : device.rotates ? .either : .acceptance
            )
            items.append(item)
            lines += item.line(to: isBad ? DeviceToken(rawValue: "dead00") : world.token(of: device)) + "\n"
        }
        (self.items, self.lines) = (items, lines)
    }

    /// Whether it must be sent again: it has a key, which makes that safe, and no answer, or one that promises nothing.
    var isOpen: Bool {
        key != nil && id == nil && !isRefused
    }

    /// The query of the request.
    var query: String {
        "?atomic=\(isAtomic)&results=\(wantsAllResults ? "all" : "rejected")"
    }

    /// The body as it is sent.
    var body: [UInt8] {
        coding.map { Deflater.deflate(Array(lines.utf8), as: $0) } ?? Array(lines.utf8)
    }

    /// The value of `Content-Encoding`.
    var contentEncoding: String? {
        coding.map { $0 == .gzip ? "gzip" : "deflate" }
    }
}

extension CrashItem {
    /// Returns a random expiration: none, 0, or a time that the clock of the namespace may reach.
    ///
    /// Only the clock of one namespace moves.
    static func expiration(in namespace: Namespace, now: Int, using generator: inout SeededGenerator) -> Int? {
        let isMoving = namespace == CrashWorld.movingNamespace
        return switch Int.random(in: 0..<10, using: &generator) {
        case 0: 0
        case 1: isMoving ? now - 5 : now + 3_600
        case 2...5 where isMoving: now + Int.random(in: 1...20, using: &generator)
        default: nil
        }
    }

    /// Returns a random collapse identifier, mostly none.
    static func collapseID(using generator: inout SeededGenerator) -> String? {
        let number = Int.random(in: 0..<16, using: &generator)
        return number < 3 ? "c\(number)" : nil
    }

    /// Returns the line of a batch with the item.
    func line(to token: DeviceToken) -> String {
        let id = id.map { #""id":"\#($0)","# } ?? ""
        let expiration = expiration.map { #""expiration":\#($0),"# } ?? ""
        let collapseID = collapseID.map { #""collapseID":"\#($0)","# } ?? ""
        let members = id + expiration + collapseID
        return #"{"token":"\#(token)","topic":"\#(CrashWorld.topic)",\#(members)"payload":\#(payload)}"#
    }

    /// The payload, with the name.
    var payload: String {
        #"{"aps":{"alert":"Honk"},"name":"\#(name)"}"#
    }
}
