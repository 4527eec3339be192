/// A comparison whose duration does not depend on the contents.
///
/// Every secret is compared by it, so that the time of an answer does not reveal how much of a guess is right. The
/// comparison reveals whether the lengths are equal, which is no secret.
package enum ConstantTime {
    /// Returns whether the bytes of two secrets are equal; every byte is read.
    package static func isEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in haveNoDifference(left, right) }
        }
        if let isEqual = isEqual.flatMap(\.self) { return isEqual }
        return Array(left).withUnsafeBufferPointer { left in
            Array(right).withUnsafeBufferPointer { right in haveNoDifference(left, right) }
        }
    }

    /// Returns whether the bytes are equal; the loop over indices takes a third of the time of one over pairs.
    private static func haveNoDifference(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
