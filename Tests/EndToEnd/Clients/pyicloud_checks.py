"""The CloudKit layer of pyicloud."""

import re

from common import check, expect
from pyicloud.common.cloudkit import models
from pyicloud.common.cloudkit.client import (
    CloudKitApiError,
    CloudKitAuthError,
    CloudKitRateLimited,
)

DEFAULT_ZONE = "_defaultZone"


def zone_names(client):
    return {zone.zoneID.zoneName for zone in client.zones_list().zones}




@check
def pyicloud_lists_zones(world):
    names = zone_names(world.server.client())
    expect(names >= {DEFAULT_ZONE, "Notes"}, f"zones: {names}")


@check
def pyicloud_reads_the_changes_of_a_database(world):
    changes = world.server.client().database_changes()
    names = {zone.zoneID.zoneName for zone in changes.zones}
    expect("Notes" in names and changes.syncToken, f"changes: {changes}")


@check
def pyicloud_reads_the_changes_of_a_zone(world):
    request = models.CKZoneChangesZoneReq(zoneID=models.CKZoneID(zoneName="Notes"))
    records = [
        record
        for zone in world.server.client().iter_changes(zone_req=request)
        for record in zone.records
    ]
    expect(len(records) >= 3, f"{len(records)} records")
    expect(all(isinstance(record, models.CKRecord) for record in records), f"{records}")


def profiles(client):
    reply = client.query(
        query=models.CKQueryObject(recordType="Profile"),
        zone_id=models.CKZoneIDReq(zoneName=DEFAULT_ZONE), results_limit=10)
    return [record.recordName for record in reply.records]


@check
def pyicloud_queries_and_looks_up_records(world):
    client = world.server.client()
    names = profiles(client)
    expect(names == ["profile-ann"], f"names: {names}")
    reply = client.lookup(
        record_names=[*names, "nobody"], zone_id=models.CKZoneIDReq(zoneName=DEFAULT_ZONE))
    kinds = [type(record).__name__ for record in reply.records]
    expect(kinds == ["CKRecord", "CKErrorItem"], f"kinds: {kinds}")


@check
def pyicloud_deletes_a_record(world):
    client = world.server.client()
    names = profiles(client)
    operation = models.CKModifyOperation(
        operationType="forceDelete",
        record=models.CKWriteRecord(recordName=names[0], recordType="Profile"))
    reply = client.modify(
        operations=[operation], zone_id=models.CKZoneIDReq(zoneName=DEFAULT_ZONE), atomic=False)
    expect(type(reply.records[0]).__name__ == "CKTombstoneRecord", f"{reply.records}")
    expect(profiles(client) == [], "the record is still there")


@check
def pyicloud_deletes_a_zone_of_one_user_only(world):
    client = world.server.client()
    reply = client.raw_post(
        "/zones/modify",
        {"operations": [
            {"operationType": "delete", "zone": {"zoneID": {"zoneName": "Notes"}}},
            {"operationType": "delete", "zone": {"zoneID": {"zoneName": "never there"}}},
        ]})
    first, second = reply["zones"]
    expect(first.get("deleted") is True, f"{first}")
    expect(second["serverErrorCode"] == "ZONE_NOT_FOUND", f"{second}")
    expect("Notes" not in zone_names(client), "the zone is still listed")
    expect("Notes" in zone_names(world.server.client("bob")), "another user's zone is gone")


@check
def pyicloud_is_told_to_wait(world):
    world.server.mock("faults", "zones/list once -> THROTTLED retry 2s")
    client = world.server.client()
    try:
        client.zones_list()
        raise AssertionError("nothing was refused")
    except CloudKitRateLimited as error:
        expect(error.retry_after == 2.0, f"retry after {error.retry_after}")
    expect("_defaultZone" in zone_names(client), "the second request fails too")


@check
def pyicloud_is_turned_away_with_a_wrong_token(world):
    try:
        world.server.client(token="wrong").zones_list()
        raise AssertionError("a wrong token was accepted")
    except (CloudKitAuthError, CloudKitApiError) as error:
        expect(re.search("401|403|421", str(error)), str(error))


# A whole round in one zone.

LIBRARY = models.CKZoneIDReq(zoneName="Library", zoneType="REGULAR_CUSTOM_ZONE")


def in_library(client):
    """The client, once the zone Library is there."""
    client.raw_post(
        "/zones/modify",
        {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Library"}}}]})
    return client


def write(kind, name, fields, tag=None, parent=None, record_type="Book"):
    record = models.CKWriteRecord(
        recordName=name, recordType=record_type, fields=fields, recordChangeTag=tag,
        parent=models.CKWriteParent(recordName=parent) if parent else None)
    return models.CKModifyOperation(operationType=kind, record=record)


def only(reply):
    expect(len(reply.records) == 1, f"{reply.records}")
    return reply.records[0]


@check
def pyicloud_creates_updates_and_follows_changes(world):
    client = in_library(world.server.client())
    zone = models.CKZoneChangesZoneReq(zoneID=models.CKZoneID(zoneName="Library"))
    *_, last = client.iter_changes(zone_req=zone)
    made = only(client.modify(
        operations=[write("create", "emma", {"title": {"type": "STRING", "value": "Emma"}})],
        zone_id=LIBRARY))
    changed = only(client.modify(
        operations=[write(
            "update", "emma", {"pages": {"type": "INT64", "value": 474}}, made.recordChangeTag)],
        zone_id=LIBRARY))
    expect(changed.fields.title.value == "Emma" and changed.fields.pages.value == 474, f"{changed}")
    zone.syncToken = last.syncToken
    pages = list(client.iter_changes(zone_req=zone))
    expect([r.recordName for page in pages for r in page.records] == ["emma"], f"{pages}")
    for kind, tag in (("create", None), ("update", made.recordChangeTag)):
        try:
            client.modify(
                operations=[write(kind, "emma", {"pages": {"type": "INT64", "value": 1}}, tag)],
                zone_id=LIBRARY)
            raise AssertionError(f"{kind} of what had changed was accepted")
        except CloudKitApiError as error:
            expect("emma: CONFLICT" in str(error), f"{kind}: {error}")


@check
def pyicloud_keeps_encrypted_text_and_bytes(world):
    client = in_library(world.server.client())
    fields = {
        "TitleEncrypted": {"type": "ENCRYPTED_BYTES", "value": "w6k="},
        "NoteEncrypted": {"type": "STRING", "value": "\u00e9", "isEncrypted": True},
        "cover": {"type": "BYTES", "value": "AAEC"},
    }
    client.modify(
        operations=[write("create", "secret", fields, record_type="Letter")], zone_id=LIBRARY)
    record = only(client.lookup(["secret"], zone_id=LIBRARY))
    expect(record.fields.get_field("TitleEncrypted").type == "ENCRYPTED_BYTES", f"{record}")
    expect(record.fields.TitleEncrypted.value == "\u00e9".encode(), f"{record}")
    expect(record.fields.NoteEncrypted.value == "\u00e9", f"{record}")
    expect(record.fields.cover.value == bytes(range(3)), f"{record}")


@check
def pyicloud_uploads_and_downloads_an_asset(world):
    client = in_library(world.server.client())
    content = bytes(range(256)) * 4096
    receipt = client.upload_asset(
        record_type="Book", field_name="scan", record_name="atlas", data=content, zone_id=LIBRARY)
    value = receipt.model_dump(mode="json", exclude_none=True)
    made = only(client.modify(
        operations=[write("create", "atlas", {"scan": {"type": "ASSETID", "value": value}})],
        zone_id=LIBRARY))
    read = only(client.lookup(["atlas"], zone_id=LIBRARY))
    for record in (made, read):
        scan = record.fields.scan.value
        expect(scan.size == len(content) and scan.fileChecksum == receipt.fileChecksum, f"{scan}")
        expect(client.download_asset_bytes(scan.downloadURL) == content, "other bytes came back")
        pieces = list(client.download_asset_stream(scan.downloadURL, chunk_size=65536))
        expect(b"".join(pieces) == content, "other bytes came back in pieces")


@check
def pyicloud_asks_for_a_long_query_in_pages(world):
    client = in_library(world.server.client())
    names = [f"volume-{number:02}" for number in range(25)]
    client.modify(
        operations=[
            write("create", name, {"shelf": {"type": "STRING", "value": "a"}}, record_type="Volume")
            for name in names],
        zone_id=LIBRARY)
    found, marker = [], None
    for _ in range(25):
        page = client.query(
            query=models.CKQueryObject(recordType="Volume"), zone_id=LIBRARY, results_limit=10,
            continuation=marker)
        found += [record.recordName for record in page.records]
        expect(len(page.records) <= 10, f"{len(page.records)} records in a page of 10")
        marker = page.continuationMarker
        if not marker:
            break
    expect(sorted(found) == names, f"{found}")
