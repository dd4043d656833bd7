/// The record types of the donation zone, as the schema of a container must have them before its
/// production environment takes them.
package enum ExchangeSchema {
    /// In the language of `.ckdb` files.
    package static let text =
        """
        DEFINE SCHEMA
        RECORD TYPE DonationZone (
            incarnation STRING, "schema" INT64, zoneKey ENCRYPTED BYTES, base BYTES,
            GRANT READ, CREATE, WRITE TO "_creator"
        );
        RECORD TYPE Device (
            context BYTES, round INT64, "at" TIMESTAMP,
            GRANT READ, CREATE, WRITE TO "_creator"
        );
        RECORD TYPE Deletion (
            device STRING, seq INT64, selector STRING, keys LIST<STRING>, indexKey STRING,
            "from" INT64, until INT64, "at" TIMESTAMP,
            GRANT READ, CREATE, WRITE TO "_creator"
        );
        RECORD TYPE Donation (\(row)
        );
        RECORD TYPE SavedActivity (\(row)
        );
        RECORD TYPE SearchItem (\(row)
        );
        """

    private static let row = """

            kind INT64, donor INT64, direction INT64, status INT64,
            "at" TIMESTAMP QUERYABLE SORTABLE, until TIMESTAMP, donated TIMESTAMP,
            expires TIMESTAMP, device STRING, context BYTES, zoneMark STRING,
            identifierKey STRING QUERYABLE, groupKey STRING QUERYABLE, pidKey STRING QUERYABLE,
            relatedKey STRING QUERYABLE, typeKey STRING QUERYABLE, indexKey STRING QUERYABLE,
            entityTypeKey STRING QUERYABLE, entityKey STRING QUERYABLE,
            domainKeys LIST<STRING> QUERYABLE, linkKeys LIST<STRING> QUERYABLE,
            activityType ENCRYPTED STRING, intentClass ENCRYPTED STRING,
            identifier ENCRYPTED STRING, "group" ENCRYPTED STRING, pid ENCRYPTED STRING,
            related ENCRYPTED STRING, title ENCRYPTED STRING, phrase ENCRYPTED STRING,
            payload ENCRYPTED BYTES, savedActivity REFERENCE, item REFERENCE,
            GRANT READ, CREATE, WRITE TO "_creator"
        """
}
