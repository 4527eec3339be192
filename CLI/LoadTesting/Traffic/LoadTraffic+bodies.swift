internal import HTTP2Sessions
internal import WaypostSchema

extension LoadTraffic {
    /// A token that no gateway creates.
    private static let badToken = Array("bad0".utf8)

    /// Returns the body of a batch: an item a line.
    ///
    /// - Parameters:
    ///   - requestNumber: the number of the request.
    ///   - now: the time, in seconds since 1970.
    /// - Returns: the body.
    func batchBody(ofRequest requestNumber: Int, at now: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(itemsPerRequest * 500)
        for number in requestNumber * itemsPerRequest..<(requestNumber + 1) * itemsPerRequest {
            append(item(number, at: now), at: now, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private func append(_ item: Item, at now: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"token":""#.utf8)
        bytes.append(contentsOf: token(of: item))
        bytes.append(contentsOf: #"","topic":""#.utf8)
        bytes.append(contentsOf: settings.topic.rawValue.utf8)
        bytes.append(contentsOf: #"","id":""#.utf8)
        identifiers.append(item.number, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if item.pushType != .alert {
            bytes.append(contentsOf: #","pushType":"\#(item.pushType.rawValue)","priority":5"#.utf8)
        }
        if settings.collapseIdentifierCount > 0 {
            bytes.append(contentsOf: #","collapseID":"\#(collapseIdentifier(item.number))""#.utf8)
        }
        if let expiration = item.expiration { bytes.append(contentsOf: #","expiration":\#(expiration)"#.utf8) }
        bytes.append(contentsOf: #","payload":"#.utf8)
        appendPayload(of: item, at: now, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private func token(of item: Item) -> [UInt8] {
        guard case .device(let device) = item.destination else { return Self.badToken }
        return deviceTokenBytes[device]
    }

    private func collapseIdentifier(_ number: Int) -> String {
        "c\(number % settings.collapseIdentifierCount)"
    }

    /// Returns the payload of an item that is sent at a time, in seconds since 1970.
    func payload(of item: Item, at now: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(item.payloadSize + 64)
        appendPayload(of: item, at: now, to: &bytes)
        return bytes
    }

    private func appendPayload(of item: Item, at now: Int, to bytes: inout [UInt8]) {
        if let payload = settings.payload { return bytes.append(contentsOf: payload) }
        let start = bytes.count
        let number = settings.isPayloadShared ? 0 : item.number
        switch item.pushType {
        case .background: bytes.append(contentsOf: #"{"aps":{"content-available":1"#.utf8)
        case "liveactivity":
            bytes.append(
                contentsOf: #"{"aps":{"event":"update","timestamp":\#(now),"content-state":{"n":\#(number)}"#.utf8
            )
        default: bytes.append(contentsOf: #"{"aps":{"alert":"Honk \#(number)""#.utf8)
        }
        if !targetContentIDLiterals.isEmpty {
            let literal = targetContentIDLiterals[number % targetContentIDLiterals.count]
            bytes.append(contentsOf: #","target-content-id":\#(literal)"#.utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        let remainingSize = item.payloadSize - (bytes.count - start) - #","text":""}"#.utf8.count
        if remainingSize > 0 {
            bytes.append(contentsOf: #","text":""#.utf8)
            let offset = (number &* 7_919) % (filler.count / 2)
            for position in stride(from: 0, to: remainingSize, by: filler.count / 2) {
                bytes.append(contentsOf: filler[offset..<offset + min(remainingSize - position, filler.count / 2)])
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

// MARK: Requests of the provider API

extension LoadTraffic {
    private static let devicePath = Array("/3/device/".utf8)

    /// Returns the request of an item, as an APNs client sends it.
    ///
    /// - Parameters:
    ///   - number: the number of the item.
    ///   - now: the time, in seconds since 1970.
    ///   - target: the target of the request.
    /// - Returns: the header fields and the body.
    func providerRequest(
        forItem number: Int,
        at now: Int,
        to target: ProviderRequestTarget
    ) -> (head: HTTP2RequestHead, body: [UInt8]) {
        let item = item(number, at: now)
        let isBroadcast = item.destination == .channel
        var head = HTTP2RequestHead()
        head.append(":method", "POST")
        head.append(":scheme", target.scheme)
        if isBroadcast {
            head.append(":path", "/4/broadcasts/apps/\(settings.topic.rawValue)")
        } else {
            head.append(":path", Self.devicePath + token(of: item), isIndexed: false)
        }
        head.append(":authority", target.authority)
        if let authorization = target.authorization { head.append("authorization", authorization) }
        var identifier: [UInt8] = []
        identifiers.append(number, to: &identifier)
        if isBroadcast {
            head.append("apns-channel-id", target.channel)
            head.append("apns-request-id", identifier, isIndexed: false)
        } else {
            head.append("apns-topic", settings.topic.rawValue)
            head.append("apns-id", identifier, isIndexed: false)
            if settings.collapseIdentifierCount > 0 {
                head.append("apns-collapse-id", collapseIdentifier(number), isIndexed: false)
            }
        }
        head.append("apns-push-type", item.pushType.rawValue)
        if item.pushType == .background { head.append("apns-priority", "5") }
        if let expiration = item.expiration { head.append("apns-expiration", "\(expiration)") }
        return (head, payload(of: item, at: now))
    }
}
