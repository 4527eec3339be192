/// The options of the program.
struct Options {
    static let usage = """
        peer-benchmarks [options]

          --only TEXT          measure only the lines whose names contain the text
          --guard              measure only the processor time of three works, in less than two minutes
          --rounds COUNT       how often each line is measured (3; with --guard, as often as 75 seconds allow)
          --scale FACTOR       the factor for numbers of items and durations (1; with --guard, 0.4)
          --acks KIND          how devices acknowledge: session (default) or requests
          --json FILE          write all results to the file
          --check FILE         fail if a ratio is worse than the one in the file by 15 % and, without --guard, outside
                               of its spread; the file has the ratios of each kind of machine
          --store FILE         add the ratios to those of this kind of machine in the file
        """

    var only = ""
    var isGuard = false
    var rounds: Int?
    var scale = 1.0
    var acknowledgements = DeviceSession.Acknowledgements.session
    var json: String?
    var check: String?
    var store: String?

    init(_ arguments: [String]) throws {
        isGuard = arguments.contains("--guard")
        if isGuard { scale = SpeedGuard.scale }
        var rest = arguments.filter { $0 != "--guard" }[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure(Self.usage) }
            switch option {
            case "--only": only = value
            case "--rounds": rounds = Int(value) ?? rounds
            case "--scale": scale = Double(value) ?? scale
            case "--acks": acknowledgements = DeviceSession.Acknowledgements(rawValue: value) ?? acknowledgements
            case "--json": json = value
            case "--check": check = value
            case "--store": store = value
            default: throw Failure(Self.usage)
            }
        }
    }

    /// Returns whether the options select a comparison.
    func measures(_ comparison: Comparison) -> Bool {
        only.isEmpty || comparison.name.contains(only)
    }

    /// Returns a number of items, scaled, that is a multiple of the size of a batch.
    func items(_ count: Int) -> Int {
        max(1, Int(Double(count) * scale) / Item.batch) * Item.batch
    }
}
