/// A `Date` as Swift decodes it by default: a number of seconds since 2001.
package enum DefaultDate {
    /// The seconds between 1970 and 2001.
    package static let secondsUntil2001 = 978_307_200

    /// Returns a number as whole seconds if it is probably a time since 1970: between 2001 and 2096; otherwise `nil`.
    package static func unixSeconds(_ number: Double) -> Int? {
        1_000_000_000...4_000_000_000 ~= number ? Int(number) : nil
    }
}
