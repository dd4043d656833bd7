internal import Foundation

/// A workout that ends.
public final class INEndWorkoutIntent: INIntent {
    /// A workout.
    public convenience init(
        workoutName: INSpeakableString?
    ) {
        self.init()
        values["workoutName"] = workoutName
    }

    /// What was done.
    public var workoutName: INSpeakableString? { value("workoutName") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "workoutName", \INEndWorkoutIntent.workoutName)
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["workoutName"], title: "End ${workoutName}")
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INEndWorkoutIntentHandling else { return nil }
        return INIntentPhases(
            for: INEndWorkoutIntent.self,
            resolving: [
                "workoutName": { intent, answer in
                    handler.resolveWorkoutName(for: intent) { answer(.one($0)) }
                }
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
