internal import Foundation

/// The distribution of notifications over devices: the device of rank k gets a share in proportion to 1/k^s.
struct ZipfDistribution: Sendable {
    /// The shares of the devices up to each rank, added up; empty if all are equal.
    private let cumulativeShares: [Double]
    private let deviceCount: Int

    /// Creates the distribution.
    ///
    /// - Parameters:
    ///   - count: the number of devices.
    ///   - exponent: the exponent s; 0 gives all devices the same share.
    init(_ count: Int, exponent: Double) {
        deviceCount = count
        guard exponent > 0 else {
            cumulativeShares = []
            return
        }
        var (sum, cumulativeShares) = (0.0, [Double]())
        for rank in 1...max(1, count) {
            sum += pow(Double(rank), -exponent)
            cumulativeShares.append(sum)
        }
        self.cumulativeShares = cumulativeShares
    }

    /// Returns the index of a device.
    ///
    /// - Parameter share: a number from 0 up to 1.
    /// - Returns: the index of the device.
    /// - Complexity: logarithmic in the number of devices.
    func index(at share: Double) -> Int {
        guard let total = cumulativeShares.last else { return min(deviceCount - 1, Int(share * Double(deviceCount))) }
        var (low, high) = (0, cumulativeShares.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if cumulativeShares[middle] > share * total { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
