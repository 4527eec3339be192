/// The rule of the age of idempotency keys: a key is remembered for 24 hours of the clock of its namespace.
package struct KeyLifetimeModel: Sendable {
    /// The lifetime in milliseconds.
    package static let lifetime = 24 * 60 * 60 * 1_000

    private var batches: [String: (batch: String, time: Int)] = [:]

    /// Creates the model of a namespace without keys.
    package init() {}

    /// The times, in milliseconds, at which keys are forgotten.
    package var ends: [Int] {
        batches.values.map { $0.time + Self.lifetime }
    }

    /// Records the receipt of a batch with a key, which always has the same body.
    ///
    /// - Parameters:
    ///   - batch: The identifier in the receipt.
    ///   - key: The key.
    ///   - now: The time on the clock of the namespace, in milliseconds.
    /// - Returns: The violation; `nil` if there is none.
    package mutating func receive(_ batch: String, with key: String, at now: Int) -> String? {
        guard let earlier = batches[key], now - earlier.time < Self.lifetime else {
            let former = batches.updateValue((batch, now), forKey: key)
            guard former?.batch == batch else { return nil }
            return "key \(key) of batch \(batch) is remembered at \(now) ms, more than 24 hours later"
        }
        guard earlier.batch != batch else { return nil }
        return "key \(key) of batch \(earlier.batch) was accepted at \(earlier.time) ms and again at \(now) ms"
    }
}
