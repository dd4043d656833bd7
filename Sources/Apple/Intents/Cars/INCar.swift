public import Foundation

/// A colour. A small stand-in for Core Graphics' class: none is ever made here.
public final class CGColor: NSObject, Sendable {
    override init() { super.init() }
}

/// A car.
public final class INCar: INValueObject {
    /// A car.
    public convenience init(
        carIdentifier: String, displayName: String?, year: String?, make: String?, model: String?,
        color: CGColor?, headUnit: INCar.HeadUnit?,
        supportedChargingConnectors: [INCar.ChargingConnectorType]
    ) {
        self.init([
            "carIdentifier": carIdentifier, "displayName": displayName, "year": year,
            "make": make, "model": model, "headUnit": headUnit,
            "supportedChargingConnectors": supportedChargingConnectors.map(\.rawValue),
        ])
    }

    /// The app's own name for it.
    public var carIdentifier: String { value("carIdentifier") ?? "" }
    /// What people read.
    public var displayName: String? { value("displayName") }
    /// When it was built.
    public var year: String? { value("year") }
    /// Who built it.
    public var make: String? { value("make") }
    /// Its model.
    public var model: String? { value("model") }
    /// Its colour: always nil, there are no colours here.
    public var color: CGColor? { nil }
    /// What it connects with.
    public var headUnit: INCar.HeadUnit? { value("headUnit") }
    /// How it can be charged.
    public var supportedChargingConnectors: [INCar.ChargingConnectorType] {
        (values["supportedChargingConnectors"] as? [String] ?? [])
            .map { INCar.ChargingConnectorType(rawValue: $0) }
    }

    /// Says how much power a connector takes.
    public func setMaximumPower(
        _ power: Measurement<UnitPower>, for connector: INCar.ChargingConnectorType
    ) {
        var powers = values["maximumPower"] as? [String: Double] ?? [:]
        powers[connector.rawValue] = power.converted(to: .watts).value
        values["maximumPower"] = powers
    }

    /// How much power a connector takes; nil: not known.
    public func maximumPower(
        for connector: INCar.ChargingConnectorType
    ) -> Measurement<UnitPower>? {
        (values["maximumPower"] as? [String: Double])?[connector.rawValue]
            .map { Measurement(value: $0, unit: UnitPower.baseUnit()) }
    }

    /// What a car connects to a phone with; Foundation on Linux archives no class inside another.
    public typealias HeadUnit = INCarHeadUnit

    /// How a car is charged.
    public struct ChargingConnectorType: RawRepresentable, Hashable, Sendable {
        /// The connector's name.
        public let rawValue: String
        /// A connector of any name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// CCS 1.
        public static let ccs1 = Self(rawValue: "ccs1")
        /// CCS 2.
        public static let ccs2 = Self(rawValue: "ccs2")
        /// CHAdeMO.
        public static let chaDeMo = Self(rawValue: "chaDeMo")
        /// GB/T for alternating current.
        public static let gbtAC = Self(rawValue: "gbtAC")
        /// GB/T for direct current.
        public static let gbtDC = Self(rawValue: "gbtDC")
        /// SAE J1772.
        public static let j1772 = Self(rawValue: "j1772")
        /// IEC 62196 type 2.
        public static let mennekes = Self(rawValue: "mennekes")
        /// NACS for alternating current.
        public static let nacsAC = Self(rawValue: "nacsAC")
        /// NACS for direct current.
        public static let nacsDC = Self(rawValue: "nacsDC")
        /// Tesla's own.
        public static let tesla = Self(rawValue: "tesla")
    }
}
