internal import Deflate

extension GatewayConfiguration {
    /// The memory in bytes of the program and its caches, before it has any work.
    private static let baseMemory = 160 << 20

    /// The minimum memory in bytes for batches.
    private static let minimumBatchMemory = 16 << 20

    /// Returns the configuration with limits for a gateway that may use `memory` bytes.
    ///
    /// Batches get half of what the program leaves. One body gets a quarter of that at most, which needs three quarters
    /// while it is inflated, and its items get the last quarter. So each batch that is accepted fits if it is alone.
    /// Event streams get a quarter of what the program leaves. Limits that are lower already stay.
    package func limited(to memory: Int) -> Self {
        var configuration = self
        let batchMemory = max(Self.minimumBatchMemory, (memory - Self.baseMemory) / 2)
        configuration.intakeLimits.bytes = min(intakeLimits.bytes, batchMemory)
        configuration.sessionLimits.memory = min(sessionLimits.memory, batchMemory / 2)
        let bodySize = configuration.intakeLimits.bytes / 4
        configuration.batchLimits.inflation.maximumOutput = min(batchLimits.inflation.maximumOutput, bodySize)
        configuration.batchLimits.bodySize = min(batchLimits.bodySize, bodySize)
        let itemCount = configuration.intakeLimits.bytes / 4 / BatchFootprint.bytes(body: 0, items: 1)
        configuration.batchLimits.items = min(
            batchLimits.items,
            itemCount / ParsedBatch.itemsPerReservation * ParsedBatch.itemsPerReservation
        )
        return configuration
    }
}
