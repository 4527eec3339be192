extension Bool {
    /// Reads the value of a switch in the environment or in a file: `true`, `yes`, `on` or `1`, or `false`, `no`, `off` or
    /// `0`, in upper or lower case; `nil` for any other text.
    package init?(setting text: String) {
        switch text.lowercased() {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: return nil
        }
    }
}
