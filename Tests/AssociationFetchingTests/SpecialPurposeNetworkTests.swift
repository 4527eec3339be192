import Testing

@testable import AssociationFetching

/// The table of addresses that are not on the internet.
@Suite struct SpecialPurposeNetworkTests {
    @Test(arguments: SpecialPurposeNetwork.all)
    func firstAndLastAddressAreRefused(_ network: SpecialPurposeNetwork) {
        for address in [network.prefix.bytes, network.prefix.lastAddress] {
            #expect(network.prefix.contains(address))
            #expect(SpecialPurposeNetwork.network(of: address) != nil, "\(address)")
        }
    }

    @Test(arguments: SpecialPurposeNetwork.all)
    func neighborsThatNoOtherNetworkContainsAreAccepted(_ network: SpecialPurposeNetwork) {
        for address in [network.prefix.precedingAddress, network.prefix.followingAddress].compactMap({ $0 }) {
            #expect(!network.prefix.contains(address))
            let others = SpecialPurposeNetwork.all.filter { $0.prefix.contains(address) }
            if others.isEmpty { #expect(SpecialPurposeNetwork.network(of: address) == nil, "\(address)") }
        }
    }

    @Test(arguments: SpecialPurposeNetwork.all)
    func prefixHasNoBitsAfterItsLength(_ network: SpecialPurposeNetwork) {
        let prefix = network.prefix
        #expect(1...(8 * prefix.bytes.count) ~= prefix.length)
        let laterBits = (prefix.length..<(8 * prefix.bytes.count)).filter {
            prefix.bytes[$0 / 8] & UInt8(0x80) >> ($0 % 8) != 0
        }
        #expect(laterBits.isEmpty)
        #expect(network.source.wholeMatch(of: #/RFC [0-9]+/#) != nil)
    }

    @Test func eachPrefixIsThereOnce() {
        let prefixes = SpecialPurposeNetwork.all.map(\.prefix)
        for prefix in prefixes { #expect(prefixes.filter { $0 == prefix }.count == 1, "\(prefix)") }
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1", "198.17.0.1",
        "223.255.255.255", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func addressIsOnTheInternet(_ text: String) throws {
        #expect(SpecialPurposeNetwork.network(of: try #require(PublicAddresses.Address(text)).bytes) == nil)
    }

    /// The embedded address decides for mapped, translated and 6to4 addresses.
    @Test(
        arguments: [
            ("0.0.0.0", "RFC 1122"), ("10.0.0.1", "RFC 1918"), ("100.64.0.1", "RFC 6598"), ("127.0.0.1", "RFC 1122"),
            ("127.255.255.255", "RFC 1122"), ("169.254.169.254", "RFC 3927"), ("172.16.0.1", "RFC 1918"),
            ("172.31.255.255", "RFC 1918"), ("192.0.0.11", "RFC 6890"), ("192.0.0.9", "RFC 7723"),
            ("192.0.2.1", "RFC 5737"), ("192.88.99.1", "RFC 7526"), ("192.168.1.1", "RFC 1918"),
            ("198.18.0.1", "RFC 2544"), ("198.51.100.1", "RFC 5737"), ("203.0.113.1", "RFC 5737"),
            ("224.0.0.1", "RFC 5771"), ("240.0.0.1", "RFC 1112"), ("255.255.255.255", "RFC 919"),
            ("::", "RFC 4291"), ("::1", "RFC 4291"), ("::127.0.0.1", "RFC 4291"), ("::ffff:0:127.0.0.1", "RFC 4291"),
            ("64:ff9b:1::7f00:1", "RFC 8215"), ("100::1", "RFC 6666"), ("2001::1", "RFC 4380"),
            ("2001:1::1", "RFC 7723"), ("2001:20::1", "RFC 7343"), ("2001:100::1", "RFC 2928"),
            ("2001:db8::1", "RFC 3849"), ("3fff::1", "RFC 9637"), ("5f00::1", "RFC 9602"), ("fc00::1", "RFC 4193"),
            ("fdff::1", "RFC 4193"), ("fe80::1", "RFC 4291"), ("fec0::1", "RFC 3879"), ("ff02::1", "RFC 4291"),
            ("::ffff:127.0.0.1", "RFC 1122"), ("::ffff:10.0.0.1", "RFC 1918"),
            ("64:ff9b::169.254.169.254", "RFC 3927"), ("2002:7f00:1::1", "RFC 1122"), ("2002:a00:1::1", "RFC 1918"),
        ] as [(String, String)]
    )
    func addressIsNotOnTheInternet(_ text: String, _ source: String) throws {
        #expect(SpecialPurposeNetwork.network(of: try #require(PublicAddresses.Address(text)).bytes)?.source == source)
    }
}

extension AddressPrefix {
    /// The address whose bits after the prefix are all ones.
    fileprivate var lastAddress: [UInt8] {
        bytes.indices.map { index in
            let commonBits = min(8, max(0, length - 8 * index))
            return bytes[index] | (commonBits == 8 ? 0 : UInt8(0xFF) >> commonBits)
        }
    }

    /// The address before the first one; `nil` if there is none.
    fileprivate var precedingAddress: [UInt8]? {
        var address = bytes
        for index in address.indices.reversed() {
            address[index] &-= 1
            if address[index] != 0xFF { return address }
        }
        return nil
    }

    /// The address after the last one; `nil` if there is none.
    fileprivate var followingAddress: [UInt8]? {
        var address = lastAddress
        for index in address.indices.reversed() {
            address[index] &+= 1
            if address[index] != 0 { return address }
        }
        return nil
    }
}
