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
        return isEqual.flatMap(\.self) ?? haveNoDifference(left, right)
    }

    private static func haveNoDifference(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
