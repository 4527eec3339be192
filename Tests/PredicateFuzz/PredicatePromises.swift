import PredicateFormat
import WaypostSchema

/// What the predicate language promises of every format and every value.
struct PredicatePromises {
    /// How a predicate is answered; where it cannot be, it does not matter why.
    private enum Answer: Equatable {
        case result(Bool)
        case error
    }

    private let question: FuzzQuestion

    init(_ question: FuzzQuestion) {
        self.question = question
    }

    /// Ends the program where a promise is broken.
    func check() {
        do throws(ContentPredicateError) {
            checkReading(of: try ContentPredicate(utf8: question.format))
        } catch {
            expect(error.code != .evaluation, "a format is refused for what it says, whatever SELF is", error)
            check(error, of: question.format)
        }
    }

    /// Checks all that is promised of `predicate`, the one that the format spells.
    private func checkReading(of predicate: ContentPredicate) {
        let canonical = predicate.description
        guard let again = read(canonical) else { return broken("a canonical form can be read", canonical) }
        expect(again == predicate, "a canonical form spells an equal predicate", canonical)
        expect(again.hashValue == predicate.hashValue, "equal predicates have equal hashes", canonical)
        expect(again.description.isSpelledLike(canonical), "a canonical form is its own canonical form", again)
        checkAnswers(of: predicate, and: again)
        checkPackage(of: predicate)
    }

    /// Checks that a predicate and what its canonical form spells are answered alike, for the same reason.
    private func checkAnswers(of predicate: ContentPredicate, and again: ContentPredicate) {
        let answer = answer(to: predicate, spelled: question.format)
        let other = self.answer(to: again, spelled: Array(again.description.utf8))
        expect(answer == other, "a canonical form is answered as the format is", (answer, other))
        let deciding = checkEvaluation(of: predicate, answered: answer)
        let otherDeciding = checkEvaluation(of: again, answered: other)
        expect(deciding == otherDeciding, "the same part decides of a canonical form", (deciding, otherDeciding))
    }

    /// Returns what `evaluate(with:)` says, and checks an error.
    private func answer(to predicate: ContentPredicate, spelled format: [UInt8]) -> Answer {
        do throws(ContentPredicateError) {
            return .result(try predicate.evaluate(with: question.value))
        } catch {
            expect(error.code == .evaluation, "what cannot be evaluated is refused as that", error)
            check(error, of: format)
            return .error
        }
    }

    /// Checks that `evaluation(of:)` says the same as `evaluate(with:)`, and returns what it says that decided.
    private func checkEvaluation(of predicate: ContentPredicate, answered answer: Answer) -> DecidingPredicate {
        let evaluation = predicate.evaluation(of: question.value)
        let result: Answer = evaluation.error == nil ? .result(evaluation.result) : .error
        expect(result == answer, "an evaluation with reasons has the same answer", (result, answer))
        let deciding = evaluation.deciding
        expect(!deciding.because.isEmpty, "what decided has a reason", deciding)
        guard let part = read(deciding.predicate) else {
            broken("what decided can be read", deciding)
            return deciding
        }
        let own = self.answer(to: part, spelled: Array(deciding.predicate.utf8))
        let expected = answer == .error ? .error : Answer.result(deciding.result)
        expect(own == expected, "what decided is answered alone as it was in the whole", (deciding, own))
        return deciding
    }

    private func checkPackage(of predicate: ContentPredicate) {
        do throws(ContentPredicateError) {
            let unpacked = try ContentPredicate(try predicate.packaged())
            expect(unpacked == predicate, "a predicate is the same after its journey", unpacked)
        } catch {
            broken("a predicate that was read can be packaged and unpacked", error)
        }
    }

    private func check(_ error: ContentPredicateError, of format: [UInt8]) {
        expect(0...format.count ~= error.offset, "an error is at a place in the format", error)
        expect(!error.message.isEmpty, "an error has a message", error)
    }

    private func read(_ format: String) -> ContentPredicate? {
        try? ContentPredicate(format: format)
    }

    private func expect(_ holds: Bool, _ promise: String, _ found: @autoclosure () -> some Any) {
        if !holds { broken(promise, found()) }
    }

    /// Ends the program, which is how libFuzzer knows that it has found something.
    private func broken(_ promise: String, _ found: some Any) {
        fatalError("Broken: \(promise). \(question). Found: \(found)")
    }
}

extension String {
    /// Whether both texts have the same bytes; for `==` it is enough that they are canonically equivalent.
    fileprivate func isSpelledLike(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
