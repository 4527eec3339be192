internal import Fleets
internal import Foundation
internal import GatewayClient
package import WaypostSchema

/// The items of a load test: what each is, and for which device.
///
/// Everything follows from the seed.
package struct LoadTraffic: Sendable {
    /// The settings of the items.
    package struct Settings: Sendable, Equatable {
        /// The topic of all items.
        package var topic: Topic = "com.example.clowntown"

        /// The payload of all items, on one line; `nil` for payloads that the test makes.
        package var payload: [UInt8]?

        /// The lengths of payloads in JSON, in bytes; shorter ones are filled.
        package var payloadSizes = WeightedChoice(200)

        /// Whether all items have the same payload.
        package var isPayloadShared = false

        /// The push types: `alert`, `background`.
        package var pushTypes = WeightedChoice(PushType.alert)

        /// The exponent of the distribution over devices (Zipf); 0 for the same share each.
        package var zipfExponent = 0.0

        /// Whether the devices get items in turn, instead of at random.
        package var isRoundRobin = false

        /// The share of items for tokens that no device has.
        package var badTokenShare = 0.0

        /// The share of items for a channel to which every device is subscribed.
        package var broadcastShare = 0.0

        /// The target content identifiers, of which each item has one in turn.
        package var targetContentIdentifiers: [String] = []

        /// The number of different collapse identifiers; 0 for none.
        package var collapseIdentifierCount = 0

        /// The expirations.
        package var expirations = WeightedChoice(Expiration.none)

        /// Creates settings with the defaults.
        package init() {}

        /// Whether the gateway may end an item before its device gets it: replace it, or let it expire.
        var canEndUndelivered: Bool {
            collapseIdentifierCount > 0 || broadcastShare > 0 || expirations != WeightedChoice(.none)
        }
    }

    /// The expiration of an item.
    package enum Expiration: Sendable, Equatable {
        case none

        /// Deliver now or drop: the expiration 0.
        case now

        /// A number of seconds after the item was made.
        case after(Int)
    }

    /// The receiver of an item.
    enum Destination: Equatable {
        /// The device with an index.
        case device(Int)

        /// A token that no device has.
        case badToken

        /// The channel of all devices.
        case channel
    }

    /// An item without its payload.
    struct Item {
        var number: Int
        var destination: Destination

        /// The size of the payload in JSON, in bytes.
        var payloadSize: Int
        var pushType: PushType

        /// The expiration, in seconds since 1970; `nil` for none.
        var expiration: Int?
    }

    /// The number of items of a request.
    package let itemsPerRequest: Int

    let settings: Settings
    let identifiers: RunItemIdentifiers
    let deviceTokens: [DeviceToken]

    /// The tokens of the devices, as bytes.
    let deviceTokenBytes: [[UInt8]]

    let filler: [UInt8]

    /// The target content identifiers in JSON.
    let targetContentIDLiterals: [String]
    private let distribution: ZipfDistribution
    private let seed: Int

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
        deviceTokens = tokens
        deviceTokenBytes = tokens.map { Array($0.rawValue.utf8) }
        self.itemsPerRequest = itemsPerRequest
        self.seed = seed
        identifiers = RunItemIdentifiers(run: run)
        distribution = ZipfDistribution(tokens.count, exponent: settings.zipfExponent)
        targetContentIDLiterals = settings.targetContentIdentifiers.map(Self.jsonString)
        filler = Self.filler(seed: seed, length: 65_536)
    }

    /// Returns the receiver of an item.
    func destination(of number: Int) -> Destination {
        var random = SeededRandom(seed: seed, part: number)
        return destination(of: number, &random)
    }

    private func destination(of number: Int, _ random: inout SeededRandom) -> Destination {
        if random.nextBool(probability: settings.badTokenShare) { return .badToken }
        if random.nextBool(probability: settings.broadcastShare) { return .channel }
        return .device(settings.isRoundRobin ? number % deviceTokens.count : distribution.index(at: random.nextShare()))
    }

    /// Returns an item.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - now: the time, in seconds since 1970.
    /// - Returns: the item.
    func item(_ number: Int, at now: Int) -> Item {
        var random = SeededRandom(seed: seed, part: number)
        let destination = destination(of: number, &random)
        let payloadSize = settings.payloadSizes.onlyValue ?? settings.payloadSizes.value(at: random.nextShare())
        let pushType = settings.pushTypes.onlyValue ?? settings.pushTypes.value(at: random.nextShare())
        let expiration = settings.expirations.onlyValue ?? settings.expirations.value(at: random.nextShare())
        let isBroadcast = destination == .channel
        return Item(
            number: number,
            destination: destination,
            payloadSize: payloadSize,
            pushType: isBroadcast ? "liveactivity" : pushType,
            expiration: expiration.seconds(after: now)
        )
    }

    /// Returns a string in JSON, with its quotation marks.
    private static func jsonString(_ string: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(string)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// Returns text of random words, which compresses about as well as prose.
    private static func filler(seed: Int, length: Int) -> [UInt8] {
        var random = SeededRandom(seed: seed, part: -1)
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

extension LoadTraffic.Expiration {
    fileprivate func seconds(after now: Int) -> Int? {
        switch self {
        case .none: nil
        case .now: 0
        case .after(let seconds): now + seconds
        }
    }
}
