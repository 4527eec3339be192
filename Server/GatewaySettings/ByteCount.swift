/// A number of bytes as users write it: a whole number with its unit, such as `512MiB` or `2GiB`; bytes need no unit.
struct ByteCount: Equatable {
    let count: Int

    private static let units = ["GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "": 1]

    init(count: Int) {
        self.count = count
    }

    init?(_ string: String) {
        let digits = string.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits), let unit = Self.units[String(string.dropFirst(digits.count))] else {
            return nil
        }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        guard !isTooLarge else { return nil }
        count = bytes
    }
}

extension ByteCount: CustomStringConvertible {
    var description: String {
        for (name, size) in Self.units.sorted(by: { $0.value > $1.value }) where count.isMultiple(of: size) {
            return "\(count / size)\(name)"
        }
        return "\(count)"
    }
}
