import PredicateFormat
import WaypostSchema

/// The guarantees of the predicate language for every format and every value.
struct PredicatePromises {
    /// The outcome of a predicate.
    ///
    /// The kind of error does not matter.
    private enum Answer: Equatable {
        case result(Bool)
        case error
    }

    private let question: FuzzQuestion

    init(_ question: FuzzQuestion) {
        self.question = question
    }

    /// Ends the program if a guarantee is violated.
    func check() {
        do throws(ContentPredicateError) {
            checkReading(of: try ContentPredicate(utf8: question.format))
        } catch {
            expect(error.code != .evaluation, "a format is refused independently of SELF", found: error)
            check(error, of: question.format)
        }
    }

    /// Checks all guarantees of `predicate`, which was parsed from the format.
    private func checkReading(of predicate: ContentPredicate) {
        let canonical = predicate.description
        guard let again = read(canonical) else {
            return expect(false, "a canonical form can be parsed", found: canonical)
        }
        expect(again == predicate, "a canonical form spells an equal predicate", found: canonical)
        expect(again.hashValue == predicate.hashValue, "equal predicates have equal hashes", found: canonical)
        expect(again.description.isSpelledLike(canonical), "a canonical form is its own canonical form", found: again)
        checkAnswers(of: predicate, and: again)
        checkPackage(of: predicate)
    }

    /// Checks that a predicate and the one parsed from its canonical form have the same result, for the same reason.
    private func checkAnswers(of predicate: ContentPredicate, and again: ContentPredicate) {
        let answer = answer(to: predicate, spelled: question.format)
        let other = self.answer(to: again, spelled: Array(again.description.utf8))
        expect(answer == other, "a canonical form has the same result as the format", found: (answer, other))
        let deciding = checkEvaluation(of: predicate, answered: answer)
        let otherDeciding = checkEvaluation(of: again, answered: other)
        expect(deciding == otherDeciding, "the same part of a canonical form decides", found: (deciding, otherDeciding))
    }

    /// Returns the result of `evaluate(with:)`, and checks its error.
    private func answer(to predicate: ContentPredicate, spelled format: [UInt8]) -> Answer {
        do throws(ContentPredicateError) {
            return .result(try predicate.evaluate(with: question.value))
        } catch {
            expect(error.code == .evaluation, "an evaluation fails with an evaluation error", found: error)
            check(error, of: format)
            return .error
        }
    }

    /// Checks that `evaluation(with:)` has the same result as `evaluate(with:)`, and returns the deciding part.
    private func checkEvaluation(of predicate: ContentPredicate, answered answer: Answer) -> DecidingPredicate {
        let evaluation = predicate.evaluation(with: question.value)
        let result: Answer = evaluation.error == nil ? .result(evaluation.result) : .error
        expect(result == answer, "an evaluation with reasons has the same result", found: (result, answer))
        let deciding = evaluation.decidingPredicate
        expect(!deciding.because.isEmpty, "the deciding part has a reason", found: deciding)
        guard let part = read(deciding.predicate) else {
            expect(false, "the deciding part can be parsed", found: deciding)
            return deciding
        }
        let own = self.answer(to: part, spelled: Array(deciding.predicate.utf8))
        let expected = answer == .error ? .error : Answer.result(deciding.result)
        expect(own == expected, "the deciding part alone has the same result as in the whole", found: (deciding, own))
        return deciding
    }

    private func checkPackage(of predicate: ContentPredicate) {
        do throws(ContentPredicateError) {
            let unpacked = try ContentPredicate(try predicate.packaged())
            expect(unpacked == predicate, "a predicate survives packaging", found: unpacked)
        } catch {
            expect(false, "a parsed predicate can be packaged and unpacked", found: error)
        }
    }

    private func check(_ error: ContentPredicateError, of format: [UInt8]) {
        expect(0...format.count ~= error.offset, "an error's offset is in the format", found: error)
        expect(!error.message.isEmpty, "an error has a message", found: error)
    }

    private func read(_ format: String) -> ContentPredicate? {
        try? ContentPredicate(format: format)
    }

    private func expect(_ holds: Bool, _ sentence: String, found: @autoclosure () -> Any) {
        promise(holds, sentence, found: (question, found()))
    }
}

extension String {
    /// Returns whether both texts have the same bytes.
    ///
    /// `==` is also true for canonically equivalent texts.
    fileprivate func isSpelledLike(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
