internal import Foundation
internal import GatewayClient
internal import ProviderTrials
internal import PushRules
internal import WaypostSchema

/// A key that a provider signs its tokens with.
struct TrialKey: Sendable, Equatable {
    /// The key's identifier.
    let id: ProviderKeyID

    /// The team.
    let team: TeamID

    /// The absolute path of the file with the private key.
    let file: String

    /// The public key, in PEM.
    let publicKey: String

    /// Returns the keys of two teams for a trial, which are created unless an earlier run has left them in the folder.
    ///
    /// Each trial has keys of its own: a provider may keep its tokens for the next start, and not use a key that was
    /// refused again.
    static func pair(for trial: ProviderTrial, in folder: URL) throws -> [Self] {
        let number = ProviderTrial.all.firstIndex { $0.name == trial.name } ?? 0
        return try [("A", "TRIALTEAM1"), ("B", "TRIALTEAM2")].map { letter, team in
            let id = "TRIALKY\(letter)\(10 + number)"
            let path = folder.appending(path: "AuthKey_\(id).p8").path
            let key =
                FileManager.default.fileExists(atPath: path)
                ? try KeyFile(reading: path, id: id) : try KeyFile.make(path: path, id: id).key
            return Self(id: key.id, team: TeamID(rawValue: team), file: path, publicKey: key.publicKey)
        }
    }
}

/// The things that a provider gets before the messages of a trial.
struct TrialSetup: Sendable, Equatable {
    /// The bundle identifier of the app.
    static let topic: Topic = "com.example.certificate"

    /// The bundle identifier of the app of the second team.
    static let secondTopic: Topic = "com.example.certificate.second"

    /// The minimum number of devices.
    private static let minimumDevices = 20

    /// The device tokens, by the number of the device.
    let tokens: [DeviceToken]

    /// The keys of the two teams, the usual one first.
    let keys: [TrialKey]

    /// The time at which the devices were registered.
    let registeredAt: Timestamp

    /// The key for a topic.
    func key(for topic: Topic) -> TrialKey? {
        topic == Self.secondTopic ? keys.last : keys.first
    }

    /// The topics for which the devices are registered: those of all push types that accept provider tokens.
    static var topics: [Topic] {
        let suffixes = Set(TrialMessages.contracts.map { $0.topicSuffix ?? "" })
        return suffixes.sorted().map { Topic(rawValue: topic.rawValue + $0) } + [secondTopic]
    }

    /// Returns the device tokens for a trial; the same seed has the same tokens.
    ///
    /// No other trial has one of them, because a provider may keep in a database which tokens are unregistered.
    static func tokens(for trial: ProviderTrial, seed: Int) -> [DeviceToken] {
        var random = SeededRandom(seed: seed, part: part(of: trial.name))
        let count = max(minimumDevices, trial.steps.compactMap(\.devices?.upperBound).max() ?? 0)
        return (0..<count).map { _ in
            let digits = (0..<4).map { _ in
                let number = String(random.next(), radix: 16)
                return String(repeating: "0", count: 16 - number.count) + number
            }
            return DeviceToken(rawValue: digits.joined())
        }
    }

    /// Returns the 64-bit FNV-1a hash of the name of a trial: the standard library's hash differs between runs.
    private static func part(of name: String) -> Int {
        let hash = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return Int(truncatingIfNeeded: hash)
    }
}

extension TrialStep {
    /// The devices of the step; `nil` if it has none, or all.
    var devices: Range<Int>? {
        switch self {
        case .load(let load), .begin(let load): load.devices
        case .inject(_, let devices, _): devices
        case .settle, .awaitRequests, .removeFaults, .affectConnections, .advance, .skew, .pause, .restart: nil
        }
    }
}
