internal import TextBasics

extension LinkText {
    /// Returns the extent of a link's authority: user information, host and port.
    func authorityExtent(of start: LinkStart) -> LinkExtent {
        if start.rule == .scheme, let host = endOfUserInformation(from: start.authority),
            case .link(let end) = hostAndPortExtent(from: host)
        {
            return .link(end: end)
        }
        let extent = hostAndPortExtent(from: start.authority)
        // The text after "www." must be a host too.
        if start.rule == .www, case .link(let end) = extent, end <= start.offset + 4 {
            return .none(resumption: end, .noHost)
        }
        return extent
    }

    /// Returns the index after user information and its `@`; `nil` if there is no user information.
    private func endOfUserInformation(from start: Int) -> Int? {
        var position = start
        while true {
            switch byte(at: position) {
            case UInt8(ascii: "@"): return position > start ? position + 1 : nil
            case let byte where byte.isASCIIAlphanumeric || Self.isUserInformationCharacter(byte): position += 1
            default: return nil
            }
        }
    }

    /// Returns whether a byte other than a letter or digit may be in the user information of a link.
    ///
    /// The set is that of RFC 3986, section 3.2.1, without quotes, brackets, commas and asterisks, which belong to the
    /// surrounding sentence.
    private static func isUserInformationCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"): true
        case UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "+"): true
        case UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: false
        }
    }

    private func hostAndPortExtent(from start: Int) -> LinkExtent {
        let host = byte(at: start) == UInt8(ascii: "[") ? ipv6AddressExtent(from: start) : hostExtent(from: start)
        guard case .link(let hostEnd) = host, byte(at: hostEnd) == UInt8(ascii: ":") else { return host }
        var end = hostEnd + 1
        var port = 0
        // Stop at the first value that is too large for a port.
        while byte(at: end).isASCIIDigit, port < 1 << 16 {
            port = port * 10 + Int(bytes[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard port < 1 << 16 else { return .none(resumption: end, .port) }
        // A colon without digits belongs to the sentence.
        return end > hostEnd + 1 ? .link(end: end) : host
    }

    /// Returns the extent of an IPv6 address in brackets.
    private func ipv6AddressExtent(from start: Int) -> LinkExtent {
        var end = start + 1
        var colonCount = 0
        while byte(at: end).isIPv6AddressCharacter {
            if bytes[end] == UInt8(ascii: ":") { colonCount += 1 }
            end += 1
        }
        guard byte(at: end) == UInt8(ascii: "]"), colonCount >= 2, end - start <= 46 else {
            return .none(resumption: end, .address)
        }
        return .link(end: end + 1)
    }
}

extension UInt8 {
    /// Whether the byte is a hexadecimal digit, a colon or a period.
    fileprivate var isIPv6AddressCharacter: Bool {
        isASCIIDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 || self == UInt8(ascii: ":")
            || self == UInt8(ascii: ".")
    }
}
