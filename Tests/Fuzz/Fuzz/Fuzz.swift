import CFuzzer
import Foundation

/// One input for the target that `CKSWEEP_FUZZ_TARGET` names; a trap or a broken promise is a
/// finding.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    target(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// libFuzzer brings a `main` of its own; the linker is told to take this one.
@_cdecl("Fuzz_main")
func fuzzMain(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    var count = count
    var arguments = arguments
    return LLVMFuzzerRunDriver(&count, &arguments, fuzzOneInput)
}

private let target: @Sendable ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["CKSWEEP_FUZZ_TARGET"] {
    case "addenda": fuzzAddenda
    case "approvals": fuzzApprovals
    case "faultfiles": fuzzFaultFiles
    case "faultjson": fuzzFaultJSON
    case "faults": fuzzFaults
    case "filters": fuzzFilters
    case "http": fuzzHTTP
    case "json": fuzzJSON
    case "ledger": fuzzLedger
    case "manifest": fuzzManifest
    case "multipart": fuzzMultipart
    case "plan": fuzzPlan
    case "schema": fuzzSchema
    case "shares": fuzzShares
    case "snapshot": fuzzSnapshot
    case "statement": fuzzStatement
    case "tokens": fuzzTokens
    default:
        preconditionFailure(
            "CKSWEEP_FUZZ_TARGET must be addenda, approvals, faultfiles, faultjson, faults, filters, http, json, ledger, manifest, multipart, plan, schema, shares, snapshot, statement or tokens"
        )
    }
