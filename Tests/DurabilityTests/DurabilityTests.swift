import Testing

/// The evidence that nothing answered is lost: the tests kill, trace and starve the gateway itself.
///
/// The tests run one after another, because each needs the whole machine.
@Suite(.serialized) enum DurabilityTests {}
