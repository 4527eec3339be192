import Testing

/// The evidence that nothing answered is lost: the program itself is ended, traced and starved.
///
/// One after another, because each needs the machine for itself.
@Suite(.serialized, .timeLimit(.minutes(10))) enum DurabilityTests {}
