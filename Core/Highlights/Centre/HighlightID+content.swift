package import WaypostSchema

extension HighlightID {
    /// Creates the identifier by which an app knows a link.
    ///
    /// It is made of both and of nothing else, so that it is the same in every run and tells the app nothing that it does
    /// not have, and no two apps know a link by the same one. It is FNV-1a over 128 bits (RFC 9923), written with 32 letters.
    package init(_ key: ContentKey, of app: BundleIdentifier) {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in [Array(app.rawValue.utf8), [0], Array(key.rawValue.utf8)].joined() {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        let text = (0..<26).map { letters[Int(truncatingIfNeeded: hash >> UInt128($0 * 5)) & 31] }
        self.init(rawValue: String(decoding: text, as: UTF8.self))
    }
}
