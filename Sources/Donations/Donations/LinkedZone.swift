/// How many rows are linked to one zone and its records.
package struct LinkedZone: Sendable, Hashable {
    /// The zone, without a record; without a zone: rows linked to the container itself.
    package var link: ContentLink
    package var rows: Int

    /// A number of rows linked to a zone.
    package init(link: ContentLink, rows: Int) {
        self.link = link
        self.rows = rows
    }
}
