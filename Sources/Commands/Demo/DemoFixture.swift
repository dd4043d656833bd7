/// `Containers/fixtures/demo.json`, so that the program stands alone.
///
/// A test compares the two; `scripts/embed-demo-fixture` writes this file anew.
package enum DemoFixture {
    /// The fixture as JSON.
    package static let bytes = Array(text.utf8)

    private static let text = #"""
        {"version":1,"shows":"Two people with zones, default-zone records and subscriptions in\#
         all three containers.","environment":"development","users":[{"name":"ann","givenName"\#
        :"Ann","familyName":"Lee"},{"name":"bob","givenName":"Bob","familyName":"Okafor"}],"da\#
        tabases":[{"container":"iCloud.com.example.myexampleapp","scope":"private","user":"ann\#
        ","zones":[{"name":"Notes","records":[{"recordName":"folder-ann","recordType":"Folder"\#
        ,"fields":{"name":{"value":"Travel","type":"STRING"},"position":{"value":0,"type":"INT\#
        64"}}},{"recordName":"note-ann-1","recordType":"Note","fields":{"title":{"value":"Pack\#
        ing list","type":"STRING"},"body":{"value":"……… 1","type":"STRING"},"tags":{"value":["\#
        travel","list"],"type":"STRING_LIST"},"pinned":{"value":0,"type":"INT64"},"edited":{"v\#
        alue":1735689600000,"type":"TIMESTAMP"},"folder":{"value":{"recordName":"folder-ann","\#
        action":"DELETE_SELF"},"type":"REFERENCE"}}},{"recordName":"note-ann-2","recordType":"\#
        Note","fields":{"title":{"value":"Ferry times","type":"STRING"},"body":{"value":"……… 2\#
        ","type":"STRING"},"tags":{"value":["list"],"type":"STRING_LIST"},"pinned":{"value":1,\#
        "type":"INT64"},"edited":{"value":1735776000000,"type":"TIMESTAMP"},"folder":{"value":\#
        {"recordName":"folder-ann","action":"DELETE_SELF"},"type":"REFERENCE"}}},{"recordName"\#
        :"note-ann-3","recordType":"Note","fields":{"title":{"value":"Ideas","type":"STRING"},\#
        "body":{"value":"……… 3","type":"STRING"},"tags":{"value":["travel","list"],"type":"STR\#
        ING_LIST"},"pinned":{"value":0,"type":"INT64"},"edited":{"value":1735862400000,"type":\#
        "TIMESTAMP"},"folder":{"value":{"recordName":"folder-ann","action":"DELETE_SELF"},"typ\#
        e":"REFERENCE"}}},{"recordName":"note-ann-4","recordType":"Note","fields":{"title":{"v\#
        alue":"Grüße aus Köln","type":"STRING"},"body":{"value":"……… 4","type":"STRING"},"tags\#
        ":{"value":["list"],"type":"STRING_LIST"},"pinned":{"value":1,"type":"INT64"},"edited"\#
        :{"value":1735948800000,"type":"TIMESTAMP"},"folder":{"value":{"recordName":"folder-an\#
        n","action":"DELETE_SELF"},"type":"REFERENCE"}}},{"recordName":"note-ann-5","recordTyp\#
        e":"Note","fields":{"title":{"value":"日本語のメモ","type":"STRING"},"body":{"value":"……… 5"\#
        ,"type":"STRING"},"tags":{"value":["travel","list"],"type":"STRING_LIST"},"pinned":{"v\#
        alue":0,"type":"INT64"},"edited":{"value":1736035200000,"type":"TIMESTAMP"},"folder":{\#
        "value":{"recordName":"folder-ann","action":"DELETE_SELF"},"type":"REFERENCE"}}},{"rec\#
        ordName":"note-ann-6","recordType":"Note","fields":{"title":{"value":"Call the bank","\#
        type":"STRING"},"body":{"value":"……… 6","type":"STRING"},"tags":{"value":["list"],"typ\#
        e":"STRING_LIST"},"pinned":{"value":1,"type":"INT64"},"edited":{"value":1736121600000,\#
        "type":"TIMESTAMP"},"folder":{"value":{"recordName":"folder-ann","action":"DELETE_SELF\#
        "},"type":"REFERENCE"}}}]},{"name":"Ideas & drafts (2024)","records":[{"recordName":"i\#
        dea-ann","recordType":"Note","fields":{"title":{"value":"An app that forgets","type":"\#
        STRING"},"body":{"value":"On purpose.","type":"STRING"}}}]},{"name":"_defaultZone","re\#
        cords":[{"recordName":"profile-ann","recordType":"Profile","fields":{"nickname":{"valu\#
        e":"Annie","type":"STRING"},"joined":{"value":1735689600000,"type":"TIMESTAMP"}}},{"re\#
        cordName":"bookmark-ann-1","recordType":"Bookmark","fields":{"title":{"value":"Timetab\#
        le","type":"STRING"},"position":{"value":1,"type":"INT64"}}},{"recordName":"bookmark-a\#
        nn-2","recordType":"Bookmark","fields":{"title":{"value":"Weather","type":"STRING"},"p\#
        osition":{"value":2,"type":"INT64"}}},{"recordName":"visit-ann","recordType":"Visit","\#
        fields":{"place":{"value":{"latitude":52.52,"longitude":13.405},"type":"LOCATION"},"wh\#
        en":{"value":1736121600000,"type":"TIMESTAMP"},"rating":{"value":4.5,"type":"DOUBLE"}}\#
        }]}],"subscriptions":[{"subscriptionID":"all-changes","subscriptionType":"database"},{\#
        "subscriptionID":"notes-zone","subscriptionType":"zone","zoneID":{"zoneName":"Notes"}}\#
        ,{"subscriptionID":"new-bookmarks","subscriptionType":"query","query":{"recordType":"B\#
        ookmark"},"firesOn":["create"]}]},{"container":"iCloud.com.example.myexampleapp.docume\#
        nts","scope":"private","user":"ann","zones":[{"name":"Documents","records":[{"recordNa\#
        me":"doc-ann","recordType":"Document","fields":{"title":{"value":"Lease","type":"STRIN\#
        G"},"pages":{"value":2,"type":"INT64"},"edited":{"value":1736467200000,"type":"TIMESTA\#
        MP"}}},{"recordName":"page-ann-1","recordType":"Page","fields":{"text":{"value":"First\#
         page","type":"STRING"},"number":{"value":1,"type":"INT64"},"thumbnail":{"value":"AAEC\#
        AwQF","type":"BYTES"},"document":{"value":{"recordName":"doc-ann","action":"DELETE_SEL\#
        F"},"type":"REFERENCE"}}},{"recordName":"page-ann-2","recordType":"Page","fields":{"te\#
        xt":{"value":"Second page","type":"STRING"},"number":{"value":2,"type":"INT64"},"docum\#
        ent":{"value":{"recordName":"doc-ann","action":"DELETE_SELF"},"type":"REFERENCE"}}}]},\#
        {"name":"Trash","records":[]},{"name":"_defaultZone","records":[{"recordName":"recent-\#
        ann","recordType":"RecentItem","fields":{"title":{"value":"Lease","type":"STRING"},"op\#
        ened":{"value":1736467200000,"type":"TIMESTAMP"}}},{"recordName":"template-ann","recor\#
        dType":"Template","fields":{"name":{"value":"letter","type":"STRING"},"body":{"value":\#
        "Dear …","type":"STRING"}}}]}],"subscriptions":[{"subscriptionID":"documents-zone","su\#
        bscriptionType":"zone","zoneID":{"zoneName":"Documents"}}]},{"container":"iCloud.com.e\#
        xample.myexampleapp.settings","scope":"private","user":"ann","zones":[{"name":"Setting\#
        s","records":[{"recordName":"setting-ann-1","recordType":"Setting","fields":{"key":{"v\#
        alue":"appearance","type":"STRING"},"value":{"value":"dark","type":"STRING"}}},{"recor\#
        dName":"setting-ann-2","recordType":"Setting","fields":{"key":{"value":"language","typ\#
        e":"STRING"},"value":{"value":"eo","type":"STRING"}}}]},{"name":"Devices","records":[{\#
        "recordName":"device-ann","recordType":"Device","fields":{"name":{"value":"ann's phone\#
        ","type":"STRING"},"lastSeen":{"value":1738281600000,"type":"TIMESTAMP"},"battery":{"v\#
        alue":0.81,"type":"DOUBLE"}}}]},{"name":"_defaultZone","records":[{"recordName":"prefe\#
        rence-ann","recordType":"Preference","fields":{"key":{"value":"newsletter","type":"STR\#
        ING"},"value":{"value":"no","type":"STRING"}}}]}],"subscriptions":[{"subscriptionID":"\#
        settings-changes","subscriptionType":"database"}]},{"container":"iCloud.com.example.my\#
        exampleapp","scope":"public","user":"ann","zones":[{"name":"_defaultZone","records":[{\#
        "recordName":"article-ann","recordType":"Article","fields":{"title":{"value":"How I pa\#
        ck","type":"STRING"},"body":{"value":"Lightly.","type":"STRING"},"published":{"value":\#
        1735862400000,"type":"TIMESTAMP"},"likes":{"value":12,"type":"INT64"}}}]}],"subscripti\#
        ons":[{"subscriptionID":"new-articles-ann","subscriptionType":"query","query":{"record\#
        Type":"Article"},"firesOn":["create"]}]},{"container":"iCloud.com.example.myexampleapp\#
        ","scope":"private","user":"bob","zones":[{"name":"Notes","records":[{"recordName":"fo\#
        lder-bob","recordType":"Folder","fields":{"name":{"value":"Work","type":"STRING"},"pos\#
        ition":{"value":0,"type":"INT64"}}},{"recordName":"note-bob-1","recordType":"Note","fi\#
        elds":{"title":{"value":"Packing list","type":"STRING"},"body":{"value":"……… 1","type"\#
        :"STRING"},"tags":{"value":["travel","list"],"type":"STRING_LIST"},"pinned":{"value":0\#
        ,"type":"INT64"},"edited":{"value":1735689600000,"type":"TIMESTAMP"},"folder":{"value"\#
        :{"recordName":"folder-bob","action":"DELETE_SELF"},"type":"REFERENCE"}}},{"recordName\#
        ":"note-bob-2","recordType":"Note","fields":{"title":{"value":"Ferry times","type":"ST\#
        RING"},"body":{"value":"……… 2","type":"STRING"},"tags":{"value":["list"],"type":"STRIN\#
        G_LIST"},"pinned":{"value":1,"type":"INT64"},"edited":{"value":1735776000000,"type":"T\#
        IMESTAMP"},"folder":{"value":{"recordName":"folder-bob","action":"DELETE_SELF"},"type"\#
        :"REFERENCE"}}},{"recordName":"note-bob-3","recordType":"Note","fields":{"title":{"val\#
        ue":"Ideas","type":"STRING"},"body":{"value":"……… 3","type":"STRING"},"tags":{"value":\#
        ["travel","list"],"type":"STRING_LIST"},"pinned":{"value":0,"type":"INT64"},"edited":{\#
        "value":1735862400000,"type":"TIMESTAMP"},"folder":{"value":{"recordName":"folder-bob"\#
        ,"action":"DELETE_SELF"},"type":"REFERENCE"}}},{"recordName":"note-bob-4","recordType"\#
        :"Note","fields":{"title":{"value":"Grüße aus Köln","type":"STRING"},"body":{"value":"\#
        ……… 4","type":"STRING"},"tags":{"value":["list"],"type":"STRING_LIST"},"pinned":{"valu\#
        e":1,"type":"INT64"},"edited":{"value":1735948800000,"type":"TIMESTAMP"},"folder":{"va\#
        lue":{"recordName":"folder-bob","action":"DELETE_SELF"},"type":"REFERENCE"}}}]},{"name\#
        ":"Ideas & drafts (2024)","records":[{"recordName":"idea-bob","recordType":"Note","fie\#
        lds":{"title":{"value":"An app that forgets","type":"STRING"},"body":{"value":"On purp\#
        ose.","type":"STRING"}}}]},{"name":"_defaultZone","records":[{"recordName":"profile-bo\#
        b","recordType":"Profile","fields":{"nickname":{"value":"Bobby","type":"STRING"},"join\#
        ed":{"value":1735689600000,"type":"TIMESTAMP"}}},{"recordName":"bookmark-bob-1","recor\#
        dType":"Bookmark","fields":{"title":{"value":"Timetable","type":"STRING"},"position":{\#
        "value":1,"type":"INT64"}}},{"recordName":"bookmark-bob-2","recordType":"Bookmark","fi\#
        elds":{"title":{"value":"Weather","type":"STRING"},"position":{"value":2,"type":"INT64\#
        "}}},{"recordName":"visit-bob","recordType":"Visit","fields":{"place":{"value":{"latit\#
        ude":52.52,"longitude":13.405},"type":"LOCATION"},"when":{"value":1736121600000,"type"\#
        :"TIMESTAMP"},"rating":{"value":4.5,"type":"DOUBLE"}}}]}],"subscriptions":[{"subscript\#
        ionID":"all-changes","subscriptionType":"database"},{"subscriptionID":"notes-zone","su\#
        bscriptionType":"zone","zoneID":{"zoneName":"Notes"}},{"subscriptionID":"new-bookmarks\#
        ","subscriptionType":"query","query":{"recordType":"Bookmark"},"firesOn":["create"]}]}\#
        ,{"container":"iCloud.com.example.myexampleapp.documents","scope":"private","user":"bo\#
        b","zones":[{"name":"Documents","records":[{"recordName":"doc-bob","recordType":"Docum\#
        ent","fields":{"title":{"value":"Lease","type":"STRING"},"pages":{"value":2,"type":"IN\#
        T64"},"edited":{"value":1736467200000,"type":"TIMESTAMP"}}},{"recordName":"page-bob-1"\#
        ,"recordType":"Page","fields":{"text":{"value":"First page","type":"STRING"},"number":\#
        {"value":1,"type":"INT64"},"thumbnail":{"value":"AAECAwQF","type":"BYTES"},"document":\#
        {"value":{"recordName":"doc-bob","action":"DELETE_SELF"},"type":"REFERENCE"}}},{"recor\#
        dName":"page-bob-2","recordType":"Page","fields":{"text":{"value":"Second page","type"\#
        :"STRING"},"number":{"value":2,"type":"INT64"},"document":{"value":{"recordName":"doc-\#
        bob","action":"DELETE_SELF"},"type":"REFERENCE"}}}]},{"name":"Trash","records":[]},{"n\#
        ame":"_defaultZone","records":[{"recordName":"recent-bob","recordType":"RecentItem","f\#
        ields":{"title":{"value":"Lease","type":"STRING"},"opened":{"value":1736467200000,"typ\#
        e":"TIMESTAMP"}}},{"recordName":"template-bob","recordType":"Template","fields":{"name\#
        ":{"value":"letter","type":"STRING"},"body":{"value":"Dear …","type":"STRING"}}}]}],"s\#
        ubscriptions":[{"subscriptionID":"documents-zone","subscriptionType":"zone","zoneID":{\#
        "zoneName":"Documents"}}]},{"container":"iCloud.com.example.myexampleapp.settings","sc\#
        ope":"private","user":"bob","zones":[{"name":"Settings","records":[{"recordName":"sett\#
        ing-bob-1","recordType":"Setting","fields":{"key":{"value":"appearance","type":"STRING\#
        "},"value":{"value":"dark","type":"STRING"}}},{"recordName":"setting-bob-2","recordTyp\#
        e":"Setting","fields":{"key":{"value":"language","type":"STRING"},"value":{"value":"eo\#
        ","type":"STRING"}}}]},{"name":"Devices","records":[{"recordName":"device-bob","record\#
        Type":"Device","fields":{"name":{"value":"bob's phone","type":"STRING"},"lastSeen":{"v\#
        alue":1738281600000,"type":"TIMESTAMP"},"battery":{"value":0.81,"type":"DOUBLE"}}}]},{\#
        "name":"_defaultZone","records":[{"recordName":"preference-bob","recordType":"Preferen\#
        ce","fields":{"key":{"value":"newsletter","type":"STRING"},"value":{"value":"no","type\#
        ":"STRING"}}}]}],"subscriptions":[{"subscriptionID":"settings-changes","subscriptionTy\#
        pe":"database"}]},{"container":"iCloud.com.example.myexampleapp","scope":"public","use\#
        r":"bob","zones":[{"name":"_defaultZone","records":[{"recordName":"article-bob","recor\#
        dType":"Article","fields":{"title":{"value":"How I pack","type":"STRING"},"body":{"val\#
        ue":"Lightly.","type":"STRING"},"published":{"value":1735862400000,"type":"TIMESTAMP"}\#
        ,"likes":{"value":12,"type":"INT64"}}}]}],"subscriptions":[{"subscriptionID":"new-arti\#
        cles-bob","subscriptionType":"query","query":{"recordType":"Article"},"firesOn":["crea\#
        te"]}]}]}
        """#
}
