import GatewayStore
import WaypostSchema

/// The devices and notifications of the benchmarks.
enum BenchmarkData {
    static let topic: Topic = "com.example.clowntown"
    static let now = Timestamp(milliseconds: 1_790_000_000_000)

    static func token(_ number: Int) -> DeviceToken {
        let digits = String(number, radix: 16)
        return DeviceToken(rawValue: String(repeating: "0", count: 64 - digits.count) + digits)
    }

    /// A payload of about 200 bytes.
    static let payload =
        Array(
            #"{"aps":{"alert":{"title":"Crusty is on the way","body":"He brings balloons, a bicycle and two friends"},"#
                .utf8
        ) + Array(#""target-content-id":"https://clowntown.example/clowns/crusty"},"act":1234567,"guest":true}"#.utf8)

    /// Returns a notification to the device `number`.
    static func notification(_ number: Int, to device: Int) -> NewNotification {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return NewNotification(
            id: NotificationID(rawValue: id),
            token: token(device),
            topic: topic,
            payload: payload
        )
    }

    /// Registers devices, each with its own agent, up to 500 at a time.
    static func register(_ count: Int, in store: SQLiteStore) async throws {
        for start in stride(from: 0, to: count, by: 500) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in start..<min(start + 500, count) {
                    group.addTask { try await register(device: number, in: store) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func register(device number: Int, in store: SQLiteStore) async throws {
        let digest = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) ^ UInt8($0) }
        let device = NewDevice(
            token: token(number),
            name: "iPad",
            topics: [topic],
            digest: SecretDigest(bytes: digest),
            joins: false
        )
        _ = try await store.register(device, in: .standard, at: now)
    }
}
