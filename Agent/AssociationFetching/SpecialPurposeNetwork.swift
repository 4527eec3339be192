/// A network whose addresses have a special purpose, so no server on the internet has one of them.
///
/// The table is the only rule of which addresses the fetching of association files refuses. It contains the entries of
/// IANA's registries of special-purpose addresses (RFC 6890), multicast, and everything in IPv6 that is not global
/// unicast (RFC 4291).
///
/// The registries call some entries globally reachable, such as 192.0.0.9/32 in 192.0.0.0/24 and 2001:1::1/128 in
/// 2001::/23. These are refused, too: anycast reaches the nearest router or server, which may be in the agent's own
/// network, and the others are identifiers, not locations. No domain needs them.
struct SpecialPurposeNetwork: Sendable {
    /// The name in the registry.
    let name: String

    /// The addresses.
    let prefix: AddressPrefix

    /// The document that defines the purpose.
    let source: String

    /// The offset of an IPv4 address in each address, which decides instead; `nil` if all addresses are refused.
    let embeddedIPv4Offset: Int?

    private init(_ name: String, _ prefix: AddressPrefix, source: String, embeddedIPv4Offset: Int? = nil) {
        (self.name, self.prefix, self.source) = (name, prefix, source)
        self.embeddedIPv4Offset = embeddedIPv4Offset
    }

    /// All networks.
    static let all: [Self] = ipv4 + ipv6

    private static let ipv4: [Self] = [
        Self("This network", .ipv4([0], 8), source: "RFC 791"),
        Self("This host on this network", .ipv4([0, 0, 0, 0], 32), source: "RFC 1122"),
        Self("Private-Use", .ipv4([10], 8), source: "RFC 1918"),
        Self("Shared Address Space", .ipv4([100, 64], 10), source: "RFC 6598"),
        Self("Loopback", .ipv4([127], 8), source: "RFC 1122"),
        Self("Link Local", .ipv4([169, 254], 16), source: "RFC 3927"),
        Self("Private-Use", .ipv4([172, 16], 12), source: "RFC 1918"),
        Self("IETF Protocol Assignments", .ipv4([192, 0, 0], 24), source: "RFC 6890"),
        Self("IPv4 Service Continuity Prefix", .ipv4([192, 0, 0, 0], 29), source: "RFC 7335"),
        Self("IPv4 dummy address", .ipv4([192, 0, 0, 8], 32), source: "RFC 7600"),
        Self("Port Control Protocol Anycast", .ipv4([192, 0, 0, 9], 32), source: "RFC 7723"),
        Self("TURN Anycast", .ipv4([192, 0, 0, 10], 32), source: "RFC 8155"),
        Self("NAT64/DNS64 Discovery", .ipv4([192, 0, 0, 170], 31), source: "RFC 8880"),
        Self("Documentation (TEST-NET-1)", .ipv4([192, 0, 2], 24), source: "RFC 5737"),
        Self("AS112-v4", .ipv4([192, 31, 196], 24), source: "RFC 7535"),
        Self("AMT", .ipv4([192, 52, 193], 24), source: "RFC 7450"),
        Self("Deprecated (6to4 Relay Anycast)", .ipv4([192, 88, 99], 24), source: "RFC 7526"),
        Self("6a44-relay anycast address", .ipv4([192, 88, 99, 2], 32), source: "RFC 6751"),
        Self("Private-Use", .ipv4([192, 168], 16), source: "RFC 1918"),
        Self("Direct Delegation AS112 Service", .ipv4([192, 175, 48], 24), source: "RFC 7534"),
        Self("Benchmarking", .ipv4([198, 18], 15), source: "RFC 2544"),
        Self("Documentation (TEST-NET-2)", .ipv4([198, 51, 100], 24), source: "RFC 5737"),
        Self("Documentation (TEST-NET-3)", .ipv4([203, 0, 113], 24), source: "RFC 5737"),
        Self("Multicast", .ipv4([224], 4), source: "RFC 5771"),
        Self("Reserved", .ipv4([240], 4), source: "RFC 1112"),
        Self("Limited Broadcast", .ipv4([255, 255, 255, 255], 32), source: "RFC 919"),
    ]

    private static let ipv6: [Self] = [
        Self("Reserved by IETF", .ipv6([0], 3), source: "RFC 4291"),
        Self("Unspecified Address", .ipv6([0], 128), source: "RFC 4291"),
        Self("Loopback Address", .ipv6([0, 0, 0, 0, 0, 0, 0, 1], 128), source: "RFC 4291"),
        Self("IPv4-compatible Address", .ipv6([0], 96), source: "RFC 4291"),
        Self("IPv4-mapped Address", .ipv6([0, 0, 0, 0, 0, 0xFFFF], 96), source: "RFC 4291", embeddedIPv4Offset: 12),
        Self("IPv4-IPv6 Translat.", .ipv6([0x64, 0xFF9B], 96), source: "RFC 6052", embeddedIPv4Offset: 12),
        // The IPv4 address is at an offset that each network chooses.
        Self("IPv4-IPv6 Translat.", .ipv6([0x64, 0xFF9B, 1], 48), source: "RFC 8215"),
        Self("Discard-Only Address Block", .ipv6([0x100], 64), source: "RFC 6666"),
        Self("Dummy IPv6 Prefix", .ipv6([0x100, 0, 0, 1], 64), source: "RFC 9780"),
        Self("IETF Protocol Assignments", .ipv6([0x2001], 23), source: "RFC 2928"),
        Self("TEREDO", .ipv6([0x2001, 0], 32), source: "RFC 4380"),
        Self("Port Control Protocol Anycast", .ipv6([0x2001, 1, 0, 0, 0, 0, 0, 1], 128), source: "RFC 7723"),
        Self("TURN Anycast", .ipv6([0x2001, 1, 0, 0, 0, 0, 0, 2], 128), source: "RFC 8155"),
        Self("DNS-SD SRP Anycast", .ipv6([0x2001, 1, 0, 0, 0, 0, 0, 3], 128), source: "RFC 9665"),
        Self("Benchmarking", .ipv6([0x2001, 2], 48), source: "RFC 5180"),
        Self("AMT", .ipv6([0x2001, 3], 32), source: "RFC 7450"),
        Self("AS112-v6", .ipv6([0x2001, 4, 0x112], 48), source: "RFC 7535"),
        Self("Deprecated (ORCHID)", .ipv6([0x2001, 0x10], 28), source: "RFC 4843"),
        Self("ORCHIDv2", .ipv6([0x2001, 0x20], 28), source: "RFC 7343"),
        Self("Drone Remote ID Protocol Entity Tags", .ipv6([0x2001, 0x30], 28), source: "RFC 9374"),
        Self("Documentation", .ipv6([0x2001, 0xDB8], 32), source: "RFC 3849"),
        Self("6to4", .ipv6([0x2002], 16), source: "RFC 3056", embeddedIPv4Offset: 2),
        Self("Direct Delegation AS112 Service", .ipv6([0x2620, 0x4F, 0x8000], 48), source: "RFC 7534"),
        Self("Documentation", .ipv6([0x3FFF], 20), source: "RFC 9637"),
        Self("Reserved by IETF", .ipv6([0x4000], 2), source: "RFC 4291"),
        Self("Segment Routing (SRv6) SIDs", .ipv6([0x5F00], 16), source: "RFC 9602"),
        Self("Reserved by IETF", .ipv6([0x8000], 1), source: "RFC 4291"),
        Self("Unique-Local", .ipv6([0xFC00], 7), source: "RFC 4193"),
        Self("Link-Local Unicast", .ipv6([0xFE80], 10), source: "RFC 4291"),
        Self("Deprecated (Site-Local)", .ipv6([0xFEC0], 10), source: "RFC 3879"),
        Self("Multicast", .ipv6([0xFF00], 8), source: "RFC 4291"),
    ]

    /// Returns the network because of which an address is not on the internet; `nil` if the address is.
    ///
    /// The most specific network decides. If it contains IPv4 addresses, that of the address does.
    ///
    /// - Parameter address: the four or sixteen bytes of the address.
    /// - Returns: the network.
    static func network(of address: [UInt8]) -> Self? {
        let networks = all.filter { $0.prefix.contains(address) }
        guard let network = networks.max(by: { $0.prefix.length < $1.prefix.length }) else { return nil }
        guard let offset = network.embeddedIPv4Offset else { return network }
        return Self.network(of: Array(address[offset..<(offset + 4)]))
    }
}

/// The addresses that begin with the same bits.
struct AddressPrefix: Sendable, Equatable {
    /// The four or sixteen bytes of the first address.
    let bytes: [UInt8]

    /// The number of bits that all addresses have in common.
    let length: Int

    /// Creates a prefix of IPv4 from its first bytes, followed by zeros.
    static func ipv4(_ bytes: [UInt8], _ length: Int) -> Self {
        Self(bytes: bytes + Array(repeating: 0, count: 4 - bytes.count), length: length)
    }

    /// Creates a prefix of IPv6 from its first groups, followed by zeros.
    static func ipv6(_ groups: [UInt16], _ length: Int) -> Self {
        let bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return Self(bytes: bytes + Array(repeating: 0, count: 16 - bytes.count), length: length)
    }

    /// Whether an address of the same family begins with the bits of the prefix.
    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        return (0..<length).allSatisfy { bit in
            let mask = UInt8(0x80) >> (bit % 8)
            return bytes[bit / 8] & mask == address[bit / 8] & mask
        }
    }
}
