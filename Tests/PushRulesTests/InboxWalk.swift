import PushRules
import WaypostSchema
import WaypostTestSupport

/// A random sequence of steps of a gateway, which may crash between any two of them.
struct InboxWalk {
    /// An app whose mode changes repeatedly, one whose mode never changes, and one whose mode cannot be `apns`.
    static let topics: [Topic] = ["com.example.clowntown", "com.example.notes", .messages]

    private(set) var model = InboxModel()

    /// A description of the last step.
    private(set) var label = ""

    /// The sequences that the last step wrote to a stream.
    private(set) var sent: [Int] = []

    /// Whether the last step was a crash.
    private(set) var crashed = false

    private var random: SeededGenerator
    private var now = Timestamp(milliseconds: 1_790_000_000_000)
    private var count = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Takes one step.
    mutating func step() throws {
        count += 1
        crashed = .random(in: 0..<12, using: &random) == 0
        sent = []
        let device = [1, 2].element(&random)
        let kind = crashed ? -1 : Int.random(in: 0..<20, using: &random)
        label = "step \(count), kind \(kind), device \(device), at \(now.rawValue) ms"
        switch kind {
        case -1: try model.crash()
        case 0..<6: try append()
        case 6..<10: sent = try model.send(to: device, at: now)
        case 10..<13: try acknowledge(device)
        case 13..<15: try model.connect(device)
        case 15: try model.disconnect(device)
        case 16: setPower(of: device)
        case 17: try chooseMode()
        case 18: try expireOrUnregister(device)
        // The clock can also go backwards.
        default: now = Timestamp(milliseconds: now.rawValue + .random(in: -1_000...4_000, using: &random))
        }
    }

    private mutating func append() throws {
        for _ in 0..<[1, 1, 2, 3, 5].element(&random) {
            let address = InboxModel.Address(
                device: [1, 2].element(&random),
                topic: Self.topics.element(&random)
            )
            let near = now.seconds + .random(in: -1...4, using: &random)
            let traits = NotificationTraits(
                priority: [10, 10, 5, 1].element(&random),
                expiration: [nil, nil, 0, near].element(&random),
                collapseID: [nil, "x", "y"].element(&random)
            )
            try model.accept(traits, to: address, batch: count, at: now)
        }
    }

    /// Acknowledges random sequences: of live items, of departed items, and of items that never existed.
    private mutating func acknowledge(_ device: Int) throws {
        let sequences = (0..<6).map { _ in model.lastSequence + 1 - .random(in: 0..<20, using: &random) }
        try model.acknowledge(sequences, by: device)
    }

    private mutating func setPower(of device: Int) {
        if model.constrained.remove(device) == nil { model.constrained.insert(device) }
    }

    private mutating func chooseMode() throws {
        let mode = StorageMode.allCases.element(&random)
        let topic = [Self.topics[0], Self.topics[0], .messages].element(&random)
        try model.setMode(mode, for: topic)
    }

    private mutating func expireOrUnregister(_ device: Int) throws {
        if .random(in: 0..<3, using: &random) == 0 {
            try model.unregister(device)
        } else {
            try model.expire(at: now)
        }
    }
}
