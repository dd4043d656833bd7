internal import Foundation

/// A workout that begins.
public final class INStartWorkoutIntent: INIntent {
    /// A workout.
    public convenience init(
        workoutName: INSpeakableString? = nil, goalValue: Double? = nil,
        workoutGoalUnitType: INWorkoutGoalUnitType = .unknown,
        workoutLocationType: INWorkoutLocationType = .unknown,
        isOpenEnded: Bool? = nil
    ) {
        self.init()
        values["workoutName"] = workoutName
        values["goalValue"] = goalValue
        values["workoutGoalUnitType"] = workoutGoalUnitType.rawValue
        values["workoutLocationType"] = workoutLocationType.rawValue
        values["isOpenEnded"] = isOpenEnded
    }

    /// What is done.
    public var workoutName: INSpeakableString? { value("workoutName") }

    /// The aim, in `workoutGoalUnitType`.
    public var goalValue: Double? { value("goalValue") }

    /// What the aim counts.
    public var workoutGoalUnitType: INWorkoutGoalUnitType {
        code("workoutGoalUnitType", or: .unknown)
    }

    /// Where.
    public var workoutLocationType: INWorkoutLocationType {
        code("workoutLocationType", or: .unknown)
    }

    /// Whether it has no aim.
    public var isOpenEnded: Bool? { value("isOpenEnded") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "workoutName", \INStartWorkoutIntent.workoutName),
            .init(stored: "goalValue", \INStartWorkoutIntent.goalValue),
            .init(stored: "workoutGoalUnitType", \INStartWorkoutIntent.workoutGoalUnitType),
            .init(stored: "workoutLocationType", \INStartWorkoutIntent.workoutLocationType),
            .init(stored: "isOpenEnded", \INStartWorkoutIntent.isOpenEnded),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["workoutName"], title: "Start ${workoutName}"),
            .init(["workoutName", "goalValue"], title: "Start ${workoutName}"),
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INStartWorkoutIntentHandling else { return nil }
        return INIntentPhases(
            for: INStartWorkoutIntent.self,
            resolving: [
                "workoutName": { intent, answer in
                    handler.resolveWorkoutName(for: intent) { answer(.one($0)) }
                }
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
