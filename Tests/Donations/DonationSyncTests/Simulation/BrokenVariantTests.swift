import Testing

/// What the simulation is worth: what is broken around the code under test must be noticed. Bugs in
/// the code itself are planted by the rows of `Tests/Mutations/table.txt`.
struct BrokenVariantTests {
    /// As many as the ordinary run has: what is not found within these is not found.
    private static let seedsMax: UInt64 = 300

    @Test(arguments: BrokenVariant.all)
    func `each broken variant is caught`(variant: BrokenVariant) throws {
        for seed in 1...Self.seedsMax {
            let plan = variant.plan(seed)
            guard let breach = try SimRunner.run(plan).0.breach else { continue }
            // It must be this rule that is missed: with it the same world is well.
            var whole = plan
            whole.defects = []
            guard try SimRunner.run(whole).0.breach == nil else { continue }
            print("\(variant): caught in run \(seed) by \(breach.invariant)")
            return
        }
        Issue.record("\(variant): not caught in \(Self.seedsMax) runs")
    }
}
