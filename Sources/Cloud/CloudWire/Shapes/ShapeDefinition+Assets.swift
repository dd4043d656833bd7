import CloudModel

extension ShapeDefinition {
    static let assets: [ShapeDefinition] = [
        ShapeDefinition(
            "AssetsUploadRequest",
            [
                .named("zoneID", "ZoneID"),
                .list(
                    "tokens",
                    of: .object([
                        .text("recordType").required, .text("fieldName").required,
                        .text("recordName"),
                    ]), max: WireLimits.assetTokensMax
                ).required,
            ]),
        ShapeDefinition("AssetUpload", assetField + [.text("url").required]),
        failure("AssetError", assetField),
        ShapeDefinition(
            "AssetUploads", [.list("tokens", of: .oneOf(["AssetUpload", "AssetError"])).required]),
        ShapeDefinition(
            "AssetsRereferenceRequest",
            [
                .named("zoneID", "ZoneID"),
                .list("assets", of: .object(assetField), max: WireLimits.operationsMax).required,
            ]),
        ShapeDefinition("RereferencedAsset", assetField + assetKeys),
        ShapeDefinition(
            "RereferencedAssets",
            [
                .list("assets", of: .oneOf(["RereferencedAsset", "AssetError"])).required,
                .list("tokens", of: .oneOf(["RereferencedAsset", "AssetError"])).required,
            ]),
        ShapeDefinition("UploadedAsset", [.named("singleFile", "Asset").required]),
    ]

    private static let assetField: [Shape.Member] = [
        .text("recordName").required, .text("fieldName").required,
    ]
}
