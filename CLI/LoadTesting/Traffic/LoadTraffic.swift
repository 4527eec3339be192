internal import Fleets
package import WaypostSchema

/// The items of a load test: which device each is for, and its bytes.
///
/// Everything follows from the seed.
package struct LoadTraffic: Sendable {
    /// The settings of the items.
    package struct Settings: Sendable, Equatable {
        /// The topic of all items.
        package var topic: Topic = "com.example.clowntown"

        /// The length of a payload in JSON, in bytes; shorter ones are filled.
        package var payload = 200

        /// The exponent of the distribution over devices (Zipf); 0 for the same share each.
        package var skew = 0.0

        /// The share of items for tokens that no device has.
        package var badTokens = 0.0

        /// The target content identifiers, of which each item has one in turn.
        package var targetContentIdentifiers: [String] = []

        /// The number of different collapse identifiers; 0 for none.
        package var collapseIdentifiers = 0

        /// The expiration of all items, in seconds since 1970; `nil` for none.
        package var expiration: Int?

        /// Creates settings with the defaults.
        package init() {}
    }

    /// The number of items of a request.
    package let itemsPerRequest: Int

    let identifiers: ItemIdentifiers
    private let settings: Settings
    private let tokens: [[UInt8]]
    private let distribution: ZipfDistribution
    private let seed: Int
    private let filler: [UInt8]

    /// Creates the items for devices.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - tokens: the tokens of the devices; at least one.
    ///   - itemsPerRequest: the number of items of a request.
    ///   - seed: the seed.
    ///   - run: a number that other runs at the same gateway do not have.
    package init(_ settings: Settings, tokens: [DeviceToken], itemsPerRequest: Int, seed: Int, run: UInt32) {
        self.settings = settings
        self.tokens = tokens.map { Array($0.rawValue.utf8) }
        self.itemsPerRequest = itemsPerRequest
        self.seed = seed
        identifiers = ItemIdentifiers(run: run)
        distribution = ZipfDistribution(tokens.count, exponent: settings.skew)
        filler = Self.filler(seed: seed, length: 65_536)
    }

    /// Returns the index of the device of an item, or `nil` if its token is a bad one.
    func device(of number: Int) -> Int? {
        var random = SeededGenerator(seed: seed, part: number)
        if random.happens(settings.badTokens) { return nil }
        return distribution.index(at: random.nextShare())
    }

    /// Returns the body of a request: an item a line.
    func body(ofRequest request: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(itemsPerRequest * (settings.payload + 200))
        for number in request * itemsPerRequest..<(request + 1) * itemsPerRequest { append(number, to: &bytes) }
        return bytes
    }

    private func append(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"token":""#.utf8)
        if let device = device(of: number) {
            bytes.append(contentsOf: tokens[device])
        } else {
            // No gateway gives a token this form.
            bytes.append(contentsOf: "bad0".utf8)
        }
        bytes.append(contentsOf: #"","topic":"\#(settings.topic.rawValue)","id":""#.utf8)
        identifiers.append(number, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if settings.collapseIdentifiers > 0 {
            bytes.append(contentsOf: #","collapseID":"c\#(number % settings.collapseIdentifiers)""#.utf8)
        }
        if let expiration = settings.expiration { bytes.append(contentsOf: #","expiration":\#(expiration)"#.utf8) }
        bytes.append(contentsOf: #","payload":"#.utf8)
        appendPayload(number, to: &bytes)
        bytes.append(contentsOf: "}\n".utf8)
    }

    private func appendPayload(_ number: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: #"{"aps":{"alert":"Honk \#(number)""#.utf8)
        if !settings.targetContentIdentifiers.isEmpty {
            let target = settings.targetContentIdentifiers[number % settings.targetContentIdentifiers.count]
            bytes.append(contentsOf: #","target-content-id":"\#(target)""#.utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        let rest = settings.payload - (bytes.count - start) - #","text":""}"#.utf8.count
        if rest > 0 {
            bytes.append(contentsOf: #","text":""#.utf8)
            let offset = (number &* 7_919) % (filler.count / 2)
            for place in stride(from: 0, to: rest, by: filler.count / 2) {
                bytes.append(contentsOf: filler[offset..<offset + min(rest - place, filler.count / 2)])
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Returns text of random words, which compresses about as well as prose.
    private static func filler(seed: Int, length: Int) -> [UInt8] {
        var random = SeededGenerator(seed: seed, part: -1)
        let words = (0..<400).map { _ in
            (0..<Int.random(in: 2...9, using: &random)).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
        }
        var text: [UInt8] = []
        while text.count < length {
            text += words[Int(random.nextShare() * random.nextShare() * Double(words.count))] + [UInt8(ascii: " ")]
        }
        return Array(text.prefix(length))
    }
}
